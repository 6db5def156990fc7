// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/urdf_grammar.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/suggest.hpp"

namespace volary::scenario {

namespace {

// what is read; frictions of Bullet stand in `contact`, and those of Gazebo in `gazebo`, which has a grammar of its own
constexpr XmlRule kGrammar[] = {
    {"robot", "link joint gazebo", "name version"},
    {"link", "inertial visual collision contact", "name"},
    {"inertial", "origin mass inertia", ""},
    {"mass", "", "value"},
    {"inertia", "", "ixx ixy ixz iyy iyz izz"},
    {"origin", "", "xyz rpy quat_xyzw"},
    {"visual", "origin geometry", "name"},
    {"collision", "origin geometry", "name"},
    {"geometry", "box cylinder capsule sphere mesh", ""},
    {"box", "", "size"},
    {"cylinder", "", "radius length"},
    {"capsule", "", "radius length"},
    {"sphere", "", "radius"},
    {"mesh", "", "filename scale"},
    {"contact", "lateral_friction", ""},
    {"lateral_friction", "", "value"},
    {"joint", "origin parent child axis limit dynamics", "name type"},
    {"parent", "", "link"},
    {"child", "", "link"},
    {"axis", "", "xyz"},
    {"limit", "", "lower upper"},
    {"dynamics", "", "damping friction"},
};
constexpr std::string_view kRepeated = "link joint gazebo visual collision";

const XmlRule* rule_of(std::string_view element) {
  const auto* found = std::find_if(std::begin(kGrammar), std::end(kGrammar), [&](const XmlRule& rule) { return rule.element == element; });
  return found == std::end(kGrammar) ? nullptr : found;
}

class Grammar {
 public:
  Grammar(const XmlFile& xml, UrdfRemarks& remarks, core::Faults& faults) : xml_(xml), remarks_(remarks), faults_(faults) {}

  void check(pugi::xml_node node, const XmlRule& rule, int depth) {
    check_attributes(node, rule);
    const std::vector<std::string> known = words_of(rule.children), repeated = words_of(kRepeated);
    std::vector<std::string> seen;
    for (const pugi::xml_node c : node.children()) {
      if (c.type() != pugi::node_element) continue;
      const std::string name = c.name();
      const XmlRule* below = has_word(known, name) ? rule_of(name) : nullptr;
      if (!has_word(known, name)) {
        check_unknown(c, name, rule, known);
      } else if (has_word(seen, name) && !has_word(repeated, name)) {
        faults_.add(xml_.error(c, "'" + name + "' is given twice inside '" + std::string(rule.element) + "'", "keep one of the two"));
      } else if (below != nullptr && depth < kMaxXmlDepth) {
        check(c, *below, depth + 1);
      }
      if (!has_word(seen, name)) seen.push_back(name);
    }
  }

 private:
  void check_attributes(pugi::xml_node node, const XmlRule& rule) {
    const std::vector<std::string> known = words_of(rule.attributes);
    for (const pugi::xml_attribute a : node.attributes()) {
      const std::string name = a.name(), value = a.value();
      if (value.find("${") != std::string::npos || value.find("$(") != std::string::npos)
        faults_.add(xml_.error(node, "'" + shown(value) + "' is an expression of xacro", kExpand));
      if (name.starts_with("xml") || has_word(known, name)) continue;
      const std::string words = "attribute '" + shown(name) + "' of '" + std::string(rule.element) + "' is not ";
      if (core::nearest(name, known).empty())
        remarks_.tell(words + "carried over", xml_.line_of(node));
      else
        faults_.add(xml_.error(node, words + "known", core::did_you_mean(name, known)));
    }
  }

  void check_unknown(pugi::xml_node node, const std::string& name, const XmlRule& rule, const std::vector<std::string>& known) {
    const std::string words = "element '" + shown(name) + "' of '" + std::string(rule.element) + "' is not ";
    if (name.starts_with("xacro:"))
      faults_.add(xml_.error(node, "'" + shown(name) + "' is a macro of xacro", kExpand));
    else if (core::nearest(name, known).empty())
      remarks_.tell(words + "carried over", xml_.line_of(node));
    else
      faults_.add(xml_.error(node, words + "known", core::did_you_mean(name, known)));
  }

  static constexpr const char* kExpand = "expand the file first: xacro FILE.xacro > FILE.urdf";
  const XmlFile& xml_;
  UrdfRemarks& remarks_;
  core::Faults& faults_;
};

}  // namespace

void UrdfRemarks::tell(const std::string& text, int line) {
  const auto [at, is_new] = index_.emplace(text, list_.size());
  if (is_new) list_.push_back({text, {}});
  list_[at->second].lines.push_back(line);
}

void check_urdf_grammar(const XmlFile& xml, UrdfRemarks& remarks, core::Faults& faults) { Grammar(xml, remarks, faults).check(xml.root(), kGrammar[0], 0); }

}  // namespace volary::scenario
