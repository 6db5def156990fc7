// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary vehicle check MODEL.dml: what a DAVE-ML model needs and gives, its tables, and whether it computes what it says of itself.
#include "cli/vehicle_daveml.hpp"

#include <vector>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "scenario/daveml.hpp"

namespace volary::cli {

namespace {

using airframe::ImportedVariable;
using Cells = std::vector<std::vector<std::string>>;

// with the value that each has until somebody sets it
Cells inputs_of(const airframe::ImportedModel& model) {
  Cells cells;
  for (const ImportedVariable& v : model.variables)
    if (v.is_input)
      cells.push_back({v.name, v.id, v.unit, v.has_initial ? fmt::format("{:g}", model.calculation.initial[static_cast<std::size_t>(v.set_slot)]) : "needed"});
  return cells;
}
Cells outputs_of(const airframe::ImportedModel& model) {
  Cells cells;
  for (const ImportedVariable& v : model.variables)
    if (v.is_output) cells.push_back({v.name, v.id, v.unit});
  return cells;
}

std::string id_at(const airframe::ImportedModel& model, std::int32_t slot) {
  for (const ImportedVariable& v : model.variables)
    if (v.slot == slot || v.set_slot == slot) return v.id;
  return "";
}
Cells tables_of(const airframe::ImportedModel& model) {
  Cells cells;
  for (const math::Step& step : model.calculation.steps) {
    if (step.operation != math::Operation::LookUp) continue;
    const math::Table& table = model.calculation.tables[static_cast<std::size_t>(step.a)];
    std::string axes;
    for (const math::Axis& axis : table.axes)
      axes += fmt::format("{}{} {} from {:g} to {:g}", axes.empty() ? "" : "; ", axis.breakpoints.size(), id_at(model, axis.slot), axis.breakpoints.front(),
                          axis.breakpoints.back());
    cells.push_back({id_at(model, step.out), fmt::format("{}", table.values.size()), axes});
  }
  return cells;
}

void add_cells(Report& report, const char* kind, const Cells& cells, const char* third, const char* fourth) {
  for (const std::vector<std::string>& c : cells) {
    Row& row = report.add(fmt::format("{}/{}", kind, c[0]), c[1]);
    row.extra.push_back({third, c[2]});
    if (c.size() > 3) row.extra.push_back({fourth, c[3]});
  }
}

void print_section(const char* title, const std::vector<std::string>& header, const Cells& cells) {
  fmt::print("{}: {}\n", title, cells.empty() ? "none" : std::to_string(cells.size()));
  if (!cells.empty()) print_table(header, cells, true);
}

}  // namespace

bool is_daveml(const std::string& path) { return path.ends_with(".dml") || path.ends_with(".xml"); }

int check_daveml(const std::string& path, bool json) {
  const core::Result<scenario::DaveModel> read = scenario::load_daveml(path);
  if (!read) return fail(read.error().text());
  const core::Result<scenario::DaveSelfTest> test = scenario::run_self_test(read.value());
  if (!test) return fail(test.error().text(), kFailed);
  const airframe::ImportedModel& model = read.value().model;
  const Cells inputs = inputs_of(model), outputs = outputs_of(model), tables = tables_of(model);

  Report report{"vehicle check", {}};
  if (json) {
    report.add("name", model.name), report.add("model", std::string("DAVE-ML"));
    add_cells(report, "inputs", inputs, "units", "initial");
    add_cells(report, "outputs", outputs, "units", "");
    add_cells(report, "tables", tables, "axes", "");
  }
  report.add("variables", static_cast<std::int64_t>(model.variables.size()));
  report.add("checks", static_cast<std::int64_t>(test.value().shots), "", {{"note", std::string(test.value().shots == 0 ? "the file has none" : "")}});
  report.add("values compared", static_cast<std::int64_t>(test.value().signals));
  if (test.value().signals > 0)
    report.add("farthest off", test.value().worst_difference, "",
               {{"note", fmt::format("{} in check '{}', {:.2g} of the tolerance", test.value().worst_signal, test.value().worst_shot, test.value().worst)}});
  if (json) {
    print_json(report);
    return kDone;
  }
  fmt::print("{}, DAVE-ML: can be read and computes what its checks say\n", model.name);
  print_section("inputs", {"name", "varID", "units", "initial"}, inputs);
  print_section("outputs", {"name", "varID", "units"}, outputs);
  print_section("tables", {"gives", "values", "over"}, tables);
  print_rows(report);
  return kDone;
}

}  // namespace volary::cli
