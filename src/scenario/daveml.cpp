// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/daveml.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/suggest.hpp"
#include "scenario/daveml_math.hpp"
#include "scenario/daveml_xml.hpp"
#include "scenario/node.hpp"

namespace volary::scenario {

namespace {

using airframe::ImportedVariable;
using math::Operation;

constexpr int kMaxChain = 5000;  // of variables that need each other
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// breakpoints with the line they came from
using Breakpoints = std::map<std::string, std::vector<double>, std::less<>>;
using TableNodes = std::map<std::string, pugi::xml_node, std::less<>>;

template <class Map> std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

// reads one file; the first fault ends it
class DaveReader {
 public:
  explicit DaveReader(XmlFile xml) : xml_(std::move(xml)), slots_(out_.model.calculation) {}

  core::Result<DaveModel> read() {
    out_.model.file = xml_.file();
    out_.model.name = child(xml_.root(), "fileHeader").attribute("name").as_string();
    if (const core::Status s = check_grammar(xml_); !s) return s.error();
    for (const auto step : {&DaveReader::read_variables, &DaveReader::read_tables, &DaveReader::read_functions, &DaveReader::read_formulas,
                            &DaveReader::put_in_order, &DaveReader::read_shots})
      if (const core::Status s = (this->*step)(); !s) return s.error();
    return std::move(out_);
  }

 private:
  template <class F> core::Status for_each(std::string_view element, F f) {
    for (const pugi::xml_node node : xml_.root().children()) {
      if (!is(node, element)) continue;
      if (const core::Status s = f(node); !s) return s;
    }
    return core::ok();
  }

  // ---------------------------------------------------------------- variables
  core::Status read_variables() {
    return for_each("variableDef", [&](pugi::xml_node node) { return read_variable(node); });
  }

  core::Status read_variable(pugi::xml_node node) {
    const std::string id = node.attribute("varID").as_string(), name = node.attribute("name").as_string();
    if (id.empty() || name.empty()) return xml_.error(node, "'variableDef' needs 'name' and 'varID'");
    if (names_.contains(id)) return xml_.error(node, "there are two variables '" + id + "'");
    if (child(node, "isState") || child(node, "isStateDeriv")) {
      return xml_.error(node, "'" + id + "' is a state: models with states of their own are not supported",
                        "only models whose outputs follow from their inputs are");
    }
    const core::Result<std::optional<double>> initial = number_attribute(xml_, node, "initialValue");
    if (!initial) return initial.error();
    ImportedVariable v;
    v.id = id;
    v.name = name;
    v.unit = node.attribute("units").as_string();
    v.line = xml_.line_of(node);
    v.set_slot = v.slot = slots_.add(initial.value().value_or(0));
    v.has_initial = initial.value().has_value();
    v.is_output = static_cast<bool>(child(node, "isOutput"));
    v.is_input = static_cast<bool>(child(node, "isInput"));
    if (v.is_input && child(node, "calculation")) return xml_.error(node, "'" + id + "' is an input and has a calculation", "remove one of the two");
    pieces_.emplace_back();
    nodes_.push_back(node);
    if (const core::Status s = limit(node, v); !s) return s;
    names_[id] = {out_.model.variables.size(), v.slot};
    out_.model.variables.push_back(std::move(v));
    return core::ok();
  }

  // minValue and maxValue: whoever uses the variable sees the limited value
  core::Status limit(pugi::xml_node node, ImportedVariable& v) {
    const core::Result<std::optional<double>> least = number_attribute(xml_, node, "minValue"), most = number_attribute(xml_, node, "maxValue");
    if (!least) return least.error();
    if (!most) return most.error();
    if (least.value() && most.value() && *least.value() > *most.value()) return xml_.error(node, "minValue is above maxValue");
    limits_.emplace_back();
    const auto add = [&](Operation operation, double bound) {
      const std::int32_t limited = slots_.add(), constant = slots_.add(bound);
      limits_.back().push_back({operation, limited, v.slot, constant, 0});
      v.slot = limited;
    };
    if (least.value()) add(Operation::Maximum, *least.value());
    if (most.value()) add(Operation::Minimum, *most.value());
    return core::ok();
  }

  core::Result<std::size_t> variable(pugi::xml_node node) {
    const std::string id = node.attribute("varID").as_string();
    const auto found = names_.find(id);
    if (found != names_.end()) return found->second.variable;
    return xml_.error(node, "there is no variable '" + id + "'", core::did_you_mean(id, keys_of(names_)));
  }

  // ---------------------------------------------------------------- tables
  core::Status read_tables() {
    const core::Status breakpoints = for_each("breakpointDef", [&](pugi::xml_node node) -> core::Status {
      core::Result<std::vector<double>> values = rising(child(node, "bpVals") ? child(node, "bpVals") : node);
      if (!values) return values.error();
      const std::string id = node.attribute("bpID").as_string();
      if (!breakpoints_.emplace(id, std::move(values).value()).second) return xml_.error(node, "there are two sets of breakpoints '" + id + "'");
      return core::ok();
    });
    if (!breakpoints) return breakpoints;
    const core::Status scattered = for_each("ungriddedTableDef", [&](pugi::xml_node node) { return refuse_scattered(node); });
    if (!scattered) return scattered;
    return for_each("griddedTableDef", [&](pugi::xml_node node) -> core::Status {
      const std::string id = node.attribute("gtID").as_string();
      if (!tables_.emplace(id, node).second) return xml_.error(node, "there are two tables '" + id + "'");
      return core::ok();
    });
  }

  core::Status refuse_scattered(pugi::xml_node node) const {
    return xml_.error(node, "tables of scattered points ('" + std::string(local_name(node)) + "') are not supported", "resample it to a griddedTableDef");
  }

  core::Result<std::vector<double>> rising(pugi::xml_node node) const {
    core::Result<std::vector<double>> values = numbers_in(xml_, node);
    if (!values) return values;
    if (values.value().empty()) return xml_.error(node, "there are no values here");
    for (std::size_t k = 1; k < values.value().size(); ++k) {
      if (values.value()[k] <= values.value()[k - 1]) return xml_.error(node, "breakpoints must rise; value " + std::to_string(k + 1) + " does not");
    }
    return values;
  }

  core::Status read_functions() {
    return for_each("function", [&](pugi::xml_node node) { return read_function(node); });
  }

  core::Status read_function(pugi::xml_node node) {
    const bool points = static_cast<bool>(child(node, "dependentVarPts"));
    const pugi::xml_node dependent = child(node, points ? "dependentVarPts" : "dependentVarRef");
    if (!dependent) return xml_.error(node, "the function has no dependent variable", "add 'dependentVarRef'");
    const core::Result<std::size_t> target = variable(dependent);
    if (!target) return target.error();
    const std::size_t n = target.value();
    ImportedVariable& v = out_.model.variables[n];
    if (v.is_input || child(nodes_[n], "calculation") || !pieces_[n].steps.empty()) {
      return xml_.error(dependent, "'" + v.id + "' is computed twice", "it is defined in line " + std::to_string(v.line));
    }
    math::Table table;
    const core::Status read = points ? read_points(node, dependent, table) : read_table(node, table);
    if (!read) return read;
    for (const math::Axis& axis : table.axes) pieces_[n].needs.push_back(owner_[axis.slot]);
    math::Calculation& calculation = out_.model.calculation;
    calculation.tables.push_back(std::move(table));
    pieces_[n].steps.push_back({Operation::LookUp, v.set_slot, static_cast<std::int32_t>(calculation.tables.size()) - 1, 0, 0});
    return core::ok();
  }

  // what stands in independentVarRef and independentVarPts alike
  core::Result<math::Axis> read_axis(pugi::xml_node node) {
    const core::Result<std::size_t> argument = variable(node);
    if (!argument) return argument.error();
    const std::string interpolate = node.attribute("interpolate").as_string("linear"), extrapolate = node.attribute("extrapolate").as_string("neither");
    if (interpolate != "linear") return xml_.error(node, "interpolation '" + interpolate + "' is not supported", "only linear is");
    const std::vector<std::string> known = {"neither", "min", "max", "both"};
    if (std::find(known.begin(), known.end(), extrapolate) == known.end()) {
      return xml_.error(node, "extrapolate is '" + extrapolate + "'", core::did_you_mean(extrapolate, known));
    }
    const core::Result<std::optional<double>> least = number_attribute(xml_, node, "min"), most = number_attribute(xml_, node, "max");
    if (!least) return least.error();
    if (!most) return most.error();
    math::Axis axis;
    axis.slot = out_.model.variables[argument.value()].slot;
    owner_[axis.slot] = argument.value();
    axis.least = least.value().value_or(-kInfinity);
    axis.most = most.value().value_or(kInfinity);
    axis.below = extrapolate == "min" || extrapolate == "both";
    axis.above = extrapolate == "max" || extrapolate == "both";
    return axis;
  }

  core::Status read_axes(pugi::xml_node function, std::string_view element, math::Table& table) {
    for (const pugi::xml_node c : function.children()) {
      if (!is(c, element)) continue;
      core::Result<math::Axis> axis = read_axis(c);
      if (!axis) return axis.error();
      if (element == "independentVarPts") {
        core::Result<std::vector<double>> points = rising(c);
        if (!points) return points.error();
        axis.value().breakpoints = std::move(points).value();
      }
      table.axes.push_back(std::move(axis).value());
    }
    if (table.axes.empty()) return xml_.error(function, "the function has no '" + std::string(element) + "'");
    if (table.axes.size() > math::kMaxAxes) return xml_.error(function, "tables of more than " + std::to_string(math::kMaxAxes) + " axes are not supported");
    return core::ok();
  }

  // breakpoints and values inside the function itself
  core::Status read_points(pugi::xml_node node, pugi::xml_node dependent, math::Table& table) {
    if (const core::Status s = read_axes(node, "independentVarPts", table); !s) return s;
    return read_values(dependent, table);
  }

  core::Status read_table(pugi::xml_node node, math::Table& table) {
    if (const core::Status s = read_axes(node, "independentVarRef", table); !s) return s;
    core::Result<pugi::xml_node> grid = grid_of(node);
    if (!grid) return grid.error();
    std::size_t k = 0;
    for (const pugi::xml_node ref : child(grid.value(), "breakpointRefs").children()) {
      if (!is(ref, "bpRef")) continue;
      const std::string id = ref.attribute("bpID").as_string();
      const auto found = breakpoints_.find(id);
      if (found == breakpoints_.end()) return xml_.error(ref, "there are no breakpoints '" + id + "'", core::did_you_mean(id, keys_of(breakpoints_)));
      if (k < table.axes.size()) table.axes[k].breakpoints = found->second;
      ++k;
    }
    if (k != table.axes.size()) {
      return xml_.error(grid.value(), "the table has " + std::to_string(k) + " axes, its function (line " + std::to_string(xml_.line_of(node)) + ") " +
                                          std::to_string(table.axes.size()));
    }
    const pugi::xml_node values = child(grid.value(), "dataTable");
    if (!values) return xml_.error(grid.value(), "the table has no 'dataTable'");
    return read_values(values, table);
  }

  core::Result<pugi::xml_node> grid_of(pugi::xml_node function) const {
    const pugi::xml_node definition = child(function, "functionDefn");
    if (!definition) return xml_.error(function, "the function has no 'functionDefn'");
    for (const pugi::xml_node c : definition.children()) {
      if (is(c, "griddedTable") || is(c, "griddedTableDef")) return c;
      if (is(c, "griddedTableRef")) {
        const std::string id = c.attribute("gtID").as_string();
        const auto found = tables_.find(id);
        if (found != tables_.end()) return found->second;
        return xml_.error(c, "there is no table '" + id + "'", core::did_you_mean(id, keys_of(tables_)));
      }
      if (c.type() == pugi::node_element) return refuse_scattered(c).error();
    }
    return xml_.error(definition, "there is no table here", "add 'griddedTableDef' or 'griddedTableRef'");
  }

  core::Status read_values(pugi::xml_node node, math::Table& table) const {
    core::Result<std::vector<double>> values = numbers_in(xml_, node);
    if (!values) return values.error();
    std::size_t wanted = 1;
    std::string shape;
    for (const math::Axis& axis : table.axes) {
      wanted *= axis.breakpoints.size();
      shape += (shape.empty() ? "" : " x ") + std::to_string(axis.breakpoints.size());
    }
    if (values.value().size() != wanted) {
      return xml_.error(node,
                        "the table has " + std::to_string(values.value().size()) + " values, its breakpoints need " + shape +
                            (table.axes.size() > 1 ? " = " + std::to_string(wanted) : ""),
                        values.value().size() < wanted ? "is a row or column missing?" : "is there a row or column too many?");
    }
    table.values = std::move(values).value();
    return core::ok();
  }

  // ---------------------------------------------------------------- formulas
  core::Status read_formulas() {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      ImportedVariable& v = out_.model.variables[n];
      const pugi::xml_node calculation = child(nodes_[n], "calculation");
      if (calculation) {
        const pugi::xml_node math = child(calculation, "math");
        if (!math) return xml_.error(calculation, "'calculation' needs 'math'");
        core::Result<MathPiece> piece = read_math(xml_, math, names_, slots_, v.set_slot);
        if (!piece) return piece.error();
        pieces_[n] = std::move(piece).value();
      } else if (pieces_[n].steps.empty() && !v.has_initial) {
        v.is_input = true;  // older files do not mark their inputs
      }
      pieces_[n].steps.insert(pieces_[n].steps.end(), limits_[n].begin(), limits_[n].end());
    }
    return core::ok();
  }

  // ---------------------------------------------------------------- order
  enum class Mark { New, Open, Done };

  core::Status put_in_order() {
    marks_.assign(pieces_.size(), Mark::New);
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      if (const core::Status s = visit(n, 0); !s) return s;
    return core::ok();
  }

  core::Status visit(std::size_t n, int depth) {
    if (marks_[n] == Mark::Done) return core::ok();
    if (marks_[n] == Mark::Open) return xml_.error(nodes_[n], "'" + out_.model.variables[n].id + "' needs itself: the calculations form a cycle");
    if (depth > kMaxChain) return xml_.error(nodes_[n], "the chain of calculations that need each other is too long");
    marks_[n] = Mark::Open;
    for (const std::size_t need : pieces_[n].needs)
      if (const core::Status s = visit(need, depth + 1); !s) return s;
    marks_[n] = Mark::Done;
    std::vector<math::Step>& steps = out_.model.calculation.steps;
    steps.insert(steps.end(), pieces_[n].steps.begin(), pieces_[n].steps.end());
    return core::ok();
  }

  // ---------------------------------------------------------------- checks the file carries
  core::Status read_shots() {
    for (const pugi::xml_node node : child(xml_.root(), "checkData").children()) {
      if (!is(node, "staticShot")) continue;
      DaveShot shot;
      shot.name = node.attribute("name").as_string();
      shot.line = xml_.line_of(node);
      const std::pair<const char*, std::vector<DaveSignal>*> lists[] = {
          {"checkInputs", &shot.inputs}, {"internalValues", &shot.internals}, {"checkOutputs", &shot.outputs}};
      for (const auto& [element, list] : lists)
        for (const pugi::xml_node signal : child(node, element).children())
          if (is(signal, "signal"))
            if (const core::Status s = read_signal(signal, *list); !s) return s;
      out_.shots.push_back(std::move(shot));
    }
    return core::ok();
  }

  core::Status read_signal(pugi::xml_node node, std::vector<DaveSignal>& list) const {
    DaveSignal signal;
    signal.line = xml_.line_of(node);
    const pugi::xml_node id = child(node, "varID") ? child(node, "varID") : child(node, "signalID");
    signal.by_id = static_cast<bool>(id);
    signal.name = text_in(signal.by_id ? id : child(node, "signalName"));
    const std::optional<double> value = to_number(text_in(child(node, "signalValue")));
    if (signal.name.empty() || !value) return xml_.error(node, "a signal needs a name and a value");
    signal.value = *value;
    if (const pugi::xml_node tolerance = child(node, "tol")) {
      const std::optional<double> number = to_number(text_in(tolerance));
      if (!number || *number < 0) return xml_.error(tolerance, "the tolerance is not a number");
      signal.tolerance = *number;
    }
    list.push_back(std::move(signal));
    return core::ok();
  }

  XmlFile xml_;
  DaveModel out_;
  Slots slots_;
  MathNames names_;                               // of variables
  std::vector<pugi::xml_node> nodes_;             // by variable
  std::vector<MathPiece> pieces_;                 // by variable: how it is computed
  std::vector<std::vector<math::Step>> limits_;   // by variable
  std::map<std::int32_t, std::size_t> owner_;     // of slots that tables use
  Breakpoints breakpoints_;
  TableNodes tables_;
  std::vector<Mark> marks_;
};

}  // namespace

core::Result<DaveModel> parse_daveml(const std::string& text, const std::string& file_name) {
  core::Result<XmlFile> xml = XmlFile::parse(text, file_name, "DAVEfunc", "is this a DAVE-ML file?");
  if (!xml) return xml.error();
  return DaveReader(std::move(xml).value()).read();
}

core::Result<DaveModel> load_daveml(const std::string& path) {
  const core::Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return parse_daveml(text.value(), path);
}

}  // namespace volary::scenario
