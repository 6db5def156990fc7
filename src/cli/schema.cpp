// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/schema.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "core/suggest.hpp"

namespace volary::cli {

namespace {

struct SchemaOptions {
  std::string kind;  // empty: a scenario's schema, the tables of both
  bool docs = false;
};

int show(const SchemaOptions& o) {
  if (!o.kind.empty() && o.kind != "scenario" && o.kind != "airframe")
    return fail("schema: unknown kind '" + o.kind + "' (" + core::did_you_mean(o.kind, {"scenario", "airframe"}) + ")");
  const std::string text = o.docs ? scenario::describe_markdown(o.kind) : o.kind == "airframe" ? scenario::airframe_schema() : scenario::scenario_schema();
  return std::fputs(text.c_str(), stdout) < 0 ? kFailed : kDone;
}

}  // namespace

void add_schema(CLI::App& app, Action& action) {
  auto o = std::make_shared<SchemaOptions>();
  CLI::App* c = app.add_subcommand("schema", "Print the fields of scenario or airframe files, as JSON Schema or as tables.");
  c->add_option("KIND", o->kind, "kind of file, scenario or airframe; default: the schema of scenarios, or with --docs the tables of both")
      ->type_name("{scenario,airframe}");
  c->add_flag("--docs", o->docs, "print tables in Markdown instead: field, type, unit, range, default, meaning");
  c->footer(
      "Examples:\n"
      "  volary schema > scenario.schema.json    for an editor that completes and checks YAML\n"
      "  volary schema airframe\n"
      "  volary schema airframe --docs | less");
  c->callback([=, &action] { action = [=] { return show(*o); }; });
}

}  // namespace volary::cli
