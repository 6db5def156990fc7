// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Describe lists: a definition struct lists its fields once,
//
//   template <class D, class V> void describe(D& d, V& v) {
//     v.field("mass", d.mass, {.unit = "kg", .min = 1e-4, .max = 1e4, .required = true, .doc = "take-off mass"});
//   }
//
// and the YAML reader, the JSON Schema, the documentation, `--set path=value`, the bounds that tuning
// may search, and a writer are visitors of that list. A visitor offers
//
//   field(name, bool/int/std::int64_t/std::uint64_t/double/std::string&, Info)
//   field(name, std::array<double, N>&, Info)            one number per axis
//   field(name, std::vector<double>&, Info)              a list of numbers
//   field(name, std::vector<std::array<double, 3>>&, Info)
//   field(name, std::vector<Struct>&, Info)              a list of described structs
//   field(name, Struct&, Info)                           a described struct
//   field(name, Enum&, Info)                             an enum with names(Enum) -> span of const char*
#pragma once

#include <limits>

namespace volary::core {

struct Info {
  const char* unit = "-";
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool required = false;  // absent is an error instead of the default
  bool is_path = false;   // its text names a file that is opened (scenario/files.hpp)
  const char* doc = "";
};

}  // namespace volary::core
