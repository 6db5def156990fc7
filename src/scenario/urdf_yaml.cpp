// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An imported platform as an airframe file.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include <fmt/format.h>

#include "scenario/urdf_platform.hpp"

namespace volary::scenario {

namespace {

using airframe::LinkKind;
using airframe::Triple;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// a text of YAML: in quotes where it could be something else
std::string yaml_text(const std::string& text) {
  const auto is_plain = [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("-_./ ").find(c) != std::string_view::npos; };
  constexpr std::string_view kWords[] = {"null", "true", "false", "yes", "no", "on", "off", "nan", "inf"};
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  const bool is_word = std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords);
  if (!text.empty() && is_letter(text.front()) && text.back() != ' ' && !is_word && std::all_of(text.begin(), text.end(), is_plain)) return text;
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// in a comment, which ends with its line
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

std::string yaml_number(double x) { return fmt::format("{:.9g}", x); }
std::string yaml_triple(const Triple& v) { return "[" + yaml_number(v[0]) + ", " + yaml_number(v[1]) + ", " + yaml_number(v[2]) + "]"; }

// of all joints that are alike, the damping stands beside the list of parts
std::string link_text(const airframe::LinkDef& link) {
  std::string text;
  const auto add = [&](const std::string& field) { text += (text.empty() ? "" : ", ") + field; };
  if (link.kind != LinkKind::Spherical) add(fmt::format("kind: {}", airframe::names(link.kind)[static_cast<std::size_t>(link.kind)]));
  if (link.kind == LinkKind::Hinge) add("axis: " + yaml_triple(link.axis));
  for (const auto& [name, value] : {std::pair{"limit", link.limit}, {"friction", link.friction}, {"damping", link.damping}})
    if (value != 0) add(name + (": " + yaml_number(value)));
  return text;
}

class YamlMaker {
 public:
  explicit YamlMaker(const UrdfPlatform& platform) : from_(platform) {}

  std::string make() const { return head() + centre() + parts() + effectors(); }

 private:
  std::string source(const std::string& field) const {
    const UrdfPlatform::Source* s = from_.source_of(field);
    return s == nullptr ? "" : fmt::format("  # source: {}", one_line(fmt::format("{}:{}, {}", from_.file, s->line, s->words)));
  }

  std::string head() const {
    std::string text = fmt::format("# Made by volary vehicle import from {}.\n", one_line(from_.file));
    for (const UrdfRemark& remark : from_.remarks) text += fmt::format("# {}\n", one_line(text_of(remark, from_.file)));
    return text + fmt::format("model: platform\nname: {}\n", yaml_text(from_.def.name));
  }

  std::string centre() const {
    const airframe::CentreDef& c = from_.def.centre;
    std::string text = fmt::format("centre:{}\n  mass: {}\n  inertia: {}\n", source("centre"), yaml_number(c.mass), yaml_triple(c.inertia));
    if (c.centre_of_mass != Triple{0, 0, 0}) text += "  centre_of_mass: " + yaml_triple(c.centre_of_mass) + "\n";
    return text + "  size: " + yaml_triple(c.size) + "\n";
  }

  std::string parts() const {
    std::string text = "parts:\n";
    for (std::size_t k = 0; k < from_.def.parts.size(); ++k) {
      const airframe::PartDef& p = from_.def.parts[k];
      const std::string yaw = p.yaw == 0 ? "" : ", yaw: " + yaml_number(p.yaw), link = link_text(p.link);
      text += fmt::format("  - {{airframe: {}, mass: {}, joint: {}{}{}}}{}\n", yaml_text(p.airframe), yaml_number(p.mass), yaml_triple(p.joint), yaw,
                          link.empty() ? "" : ", link: {" + link + "}", source(fmt::format("parts[{}]", k)));
    }
    return text + (from_.def.joint_damping == 0 ? "" : "joint_damping: " + yaml_number(from_.def.joint_damping) + "\n");
  }

  std::string effectors() const {
    if (from_.def.effectors.empty()) return "";
    std::string text = "effectors:\n";
    for (std::size_t k = 0; k < from_.def.effectors.size(); ++k) {
      const airframe::EffectorDef& e = from_.def.effectors[k];
      const bool is_usual = e.surface.friction == ContactSurfaceDef{}.friction;
      text += fmt::format("  - {{name: {}, kind: pole, position: {}, direction: {}, length: {}, radius: {}{}}}{}\n", yaml_text(e.name), yaml_triple(e.position),
                          yaml_triple(e.direction), yaml_number(e.length), yaml_number(e.radius),
                          is_usual ? "" : ", surface: {friction: " + yaml_number(e.surface.friction) + "}", source(fmt::format("effectors[{}]", k)));
    }
    return text;
  }

  const UrdfPlatform& from_;
};

}  // namespace

std::string yaml_of(const UrdfPlatform& platform) { return YamlMaker(platform).make(); }

}  // namespace volary::scenario
