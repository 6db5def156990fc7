// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The module volary._core. It is made of the rooms that the program is made of, so `python -m volary` is that program.
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "cli/command.hpp"
#include "faults.hpp"
#include "scenario/schema.hpp"
#include "volary/scenario.hpp"

namespace volary::python {

namespace {

int run_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"volary"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  nb::gil_scoped_release released;
  return cli::run_program(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

void add_program(nb::module_& m) {
  m.def("run_program", &run_program, "arguments"_a, "The command line: what `volary ARGUMENTS...` does. Returns the exit code.");
  m.def("version", [] { return std::string(version()); });
  m.def("home_folder", &home_folder, "The folder of the files that come with Volary: assets, scenarios and the page.");
  m.def("scenario_schema", &scenario::scenario_schema, "JSON Schema of scenario files.");
  m.def("airframe_schema", &scenario::airframe_schema, "JSON Schema of airframe files.");
  m.def("available_lanes", &available_lanes, "SIMD widths, in floats, that this CPU and this module have.");
}

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // libraries that keep an array until the interpreter ends, as JAX does, are not worth a page of text
  nb::exception<ScenarioFault>(m, "ScenarioError", PyExc_ValueError);
  nb::exception<InputFault>(m, "InputError", PyExc_ValueError);
  add_definitions(m);
  add_worlds(m);
  add_controllers(m);
  add_recordings(m);
  add_episodes(m);
  add_pages(m);
  add_program(m);
}

}  // namespace volary::python
