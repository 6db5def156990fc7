// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Robots in URDF for tests: one element in each line, so that lines can be counted.
#pragma once

#include <string>

namespace volary::test {

inline std::string robot(const std::string& body) { return "<robot name=\"rig\">\n" + body + "</robot>\n"; }
inline std::string inertial(const std::string& mass, const std::string& inertia, const std::string& origin = "") {
  return "<inertial>" + (origin.empty() ? "" : "<origin " + origin + "/>") + "<mass value=\"" + mass + "\"/><inertia " + inertia + "/></inertial>";
}
inline std::string link(const std::string& name, const std::string& content = "") { return "<link name=\"" + name + "\">" + content + "</link>\n"; }
inline std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child, const std::string& xyz,
                         const std::string& rest = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><origin " + (xyz.find('=') == std::string::npos ? "xyz=\"" + xyz + "\"" : xyz) +
         "/><parent link=\"" + parent + "\"/><child link=\"" + child + "\"/>" + rest + "</joint>\n";
}
inline std::string box(const std::string& size, const std::string& origin = "") {
  return "<collision>" + (origin.empty() ? "" : "<origin " + origin + "/>") + "<geometry><box size=\"" + size + "\"/></geometry></collision>";
}
inline std::string cylinder(const std::string& radius, const std::string& length, const std::string& origin) {
  return "<collision><origin " + origin + "/><geometry><cylinder radius=\"" + radius + "\" length=\"" + length + "\"/></geometry></collision>";
}

inline const std::string kHub = inertial("1.1", "ixx=\"0.0532\" iyy=\"0.0532\" izz=\"0.1039\"") + box("0.3 0.3 0.06");
inline const std::string kQuad = inertial("1.6", "ixx=\"0.0126\" iyy=\"0.0136\" izz=\"0.0237\"");
inline const std::string kGreased = "<dynamics damping=\"0.005\"/>";

// the central body on line 2, aircraft on lines 3 to 5, joints on lines 6 to 8: assets/vehicles/three_star.yaml
inline std::string star(const std::string& hub = kHub, const std::string& quad = kQuad, const std::string& more = "") {
  return robot(link("hub", hub) + link("quad1", quad) + link("quad2", quad) + link("quad3", quad) +
               joint("ball1", "spherical", "hub", "quad1", "0.48 0 0.07", kGreased) +
               joint("ball2", "spherical", "hub", "quad2", "-0.24 0.4156922 0.07", kGreased) +
               joint("ball3", "spherical", "hub", "quad3", "-0.24 -0.4156922 0.07", kGreased) + more);
}

}  // namespace volary::test
