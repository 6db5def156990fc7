// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/mass_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

namespace volary::scenario {

namespace {

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '*' && c != '^' && c != '.') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

core::Error at_line(const std::string& file, int line, std::string message, std::string suggestion) {
  core::Error e;
  e.file = file, e.line = line, e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}

// kg or kg m2 per unit that is written; 0: unknown
double mass_unit(const std::string& u) { return u == "kg" || u == "kilograms" ? 1 : u == "g" || u == "grams" ? 1e-3 : 0; }
double inertia_unit(const std::string& u) {
  if (u == "kgm2" || u == "kilogramssquaremeters") return 1;
  if (u == "gmm2" || u == "gramssquaremillimeters") return 1e-9;
  if (u == "gcm2" || u == "gramssquarecentimeters") return 1e-7;
  if (u == "kgmm2" || u == "kilogramssquaremillimeters") return 1e-6;
  return 0;
}

struct Line {
  std::string name;
  double value = 0;
  std::string unit;
};

// "Ixx = 12 g mm2": a name up to = or :, a number, a unit; lines without these are text
core::Result<bool> parse(std::string_view text, const std::string& file, int number, Line& out) {
  const std::size_t sign = text.find_first_of("=:");
  if (sign == std::string_view::npos) return false;
  out.name = squeezed(text.substr(0, sign));
  static constexpr std::string_view kKnown[] = {"mass", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", "lxx", "lyy", "lzz", "lxy", "lxz", "lyz"};
  if (std::find(std::begin(kKnown), std::end(kKnown), out.name) == std::end(kKnown)) return false;
  std::string_view rest = text.substr(sign + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), out.value);
  if (problem != std::errc{}) return at_line(file, number, fmt::format("'{}' is not a number", std::string(rest.substr(0, 40))), out.name + " = NUMBER UNIT");
  out.unit = squeezed(rest.substr(static_cast<std::size_t>(end - rest.data())));
  return true;
}

}  // namespace

core::Result<MassProperties> read_mass_properties(std::string_view text, const std::string& file) {
  MassProperties m;
  m.source = std::filesystem::path(file).filename().string();
  static constexpr const char* kElements[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  bool given[7] = {};
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    Line line;
    const core::Result<bool> is_line = parse(text.substr(0, end), file, number, line);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_line) return is_line.error();
    if (!is_line.value()) continue;
    const bool is_mass = line.name == "mass";
    const double unit = is_mass ? mass_unit(line.unit) : inertia_unit(line.unit);
    if (unit == 0)
      return at_line(file, number, fmt::format("{}: unknown unit '{}'", line.name, line.unit.substr(0, 40)),
                     is_mass ? "kg or g" : "kg m2, g mm2, g cm2 or kg mm2");
    std::size_t which = 6;
    for (std::size_t k = 0; k < 6 && !is_mass; ++k)
      if (line.name.ends_with(kElements[k])) which = k;
    if (given[which]) return at_line(file, number, line.name + " is given twice", "leave one set: the one about the centre of mass, in body axes");
    given[which] = true;
    if (is_mass)
      m.mass = unit * line.value;
    else
      (which < 3 ? m.inertia[which] : m.products[which - 3]) = unit * line.value;
  }
  if (!given[6]) return at_line(file, 0, "no mass", "a line such as 'mass = 1.2 kg'");
  for (std::size_t k = 0; k < 3; ++k)
    if (!given[k]) return at_line(file, 0, fmt::format("no I{}", kElements[k]), fmt::format("a line such as 'I{} = 12000 g mm2'", kElements[k]));
  return m;
}

}  // namespace volary::scenario
