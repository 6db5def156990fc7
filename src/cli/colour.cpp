// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/colour.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace volary::cli {

namespace {

ColourMode g_mode = ColourMode::Auto;  // set once, before a command begins

const char* code_of(Paint paint) {
  switch (paint) {
    case Paint::Good: return "32";
    case Paint::Bad: return "1;31";
    case Paint::Warning: return "33";
    case Paint::Heading: return "1";
    case Paint::Plain: break;
  }
  return "";
}

}  // namespace

std::optional<ColourMode> parse_colour(std::string_view word) {
  if (word == "auto") return ColourMode::Auto;
  if (word == "always") return ColourMode::Always;
  if (word == "never") return ColourMode::Never;
  return std::nullopt;
}

void set_colour(ColourMode mode) { g_mode = mode; }

bool wants_colour(ColourMode mode, bool is_terminal, const char* no_color, const char* term) {
  if (mode != ColourMode::Auto) return mode == ColourMode::Always;
  const bool is_refused = no_color != nullptr && *no_color != '\0';
  return is_terminal && !is_refused && std::string_view(term == nullptr ? "" : term) != "dumb";
}

std::string painted(std::FILE* to, Paint paint, std::string_view text) {
  const bool wanted = paint != Paint::Plain && !text.empty() && wants_colour(g_mode, isatty(fileno(to)) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"));
  return wanted ? fmt::format("\033[{}m{}\033[0m", code_of(paint), text) : std::string(text);
}

}  // namespace volary::cli
