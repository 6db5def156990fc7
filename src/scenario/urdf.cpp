// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/urdf.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "math/euler.hpp"
#include "scenario/urdf_grammar.hpp"
#include "scenario/xml_file.hpp"

namespace volary::scenario {

namespace {

using Vec = math::Vec3<double>;

constexpr double kGreatest = 1e9;      // of any number: sums of their squares stay finite
constexpr double kGreatestAngle = 7;   // rad: beyond it the angle is meant in degrees
constexpr double kShortest = 1e-9;     // of an axis
constexpr std::size_t kShownLines = 5;

constexpr std::pair<const char*, UrdfJointKind> kKinds[] = {
    {"revolute", UrdfJointKind::Revolute},   {"continuous", UrdfJointKind::Continuous}, {"prismatic", UrdfJointKind::Prismatic},
    {"fixed", UrdfJointKind::Fixed},         {"floating", UrdfJointKind::Floating},     {"planar", UrdfJointKind::Planar},
    {"spherical", UrdfJointKind::Spherical}, {"ball", UrdfJointKind::Spherical},
};

std::vector<std::string> keys_of(const std::map<std::string, std::size_t>& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

class UrdfReader {
 public:
  explicit UrdfReader(const XmlFile& xml) : xml_(xml), remarks_(out_.remarks) {}

  core::Result<Urdf> read() {
    out_.file = xml_.file();
    out_.line = xml_.line_of(xml_.root());
    check_urdf_grammar(xml_, remarks_, faults_);
    out_.name = name_of(xml_.root(), "robot");
    for (const pugi::xml_node node : xml_.root().children("link")) read_link(node);
    for (const pugi::xml_node node : xml_.root().children("joint")) read_joint(node);
    for (const pugi::xml_node node : xml_.root().children("gazebo")) read_gazebo(node);
    if (out_.links.empty() && faults_.empty()) fault(xml_.root(), "robot", "has no link", "a link for the central body and one for each aircraft");
    if (!faults_.empty()) return faults_.error();
    return std::move(out_);
  }

 private:
  void fault(pugi::xml_node node, const std::string& field, std::string message, std::string suggestion = "") {
    core::Error error = xml_.error(node, std::move(message), std::move(suggestion));
    error.field = field;
    faults_.add(std::move(error));
  }

  // ---------------------------------------------------------------- attributes
  std::string name_of(pugi::xml_node node, const std::string& field) {
    const std::string name = node.attribute("name").as_string();
    if (name.empty()) fault(node, field + ".name", "is missing");
    return name;
  }

  std::vector<double> numbers(pugi::xml_node node, const char* attribute, const std::string& field) {
    std::vector<double> all;
    const std::string_view text = node.attribute(attribute).as_string();
    for (std::size_t at = 0; at < text.size();) {
      if (is_space(text[at])) {
        ++at;
        continue;
      }
      const auto end = static_cast<std::size_t>(std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_space) - text.begin());
      const std::string_view word = text.substr(at, end - at);
      const std::optional<double> number = to_number(word);
      if (!number)
        fault(node, field, "'" + shown(word) + "' is not a number", word.find(',') == word.npos ? "" : "numbers have decimal points and blanks between them");
      else if (!(*number >= -kGreatest && *number <= kGreatest))
        fault(node, field, fmt::format("{:g} is out of range", *number), fmt::format("-{0:g} to {0:g}", kGreatest));
      if (!number) return {};
      all.push_back(*number);
      at = end;
    }
    return all;
  }

  std::optional<double> number(pugi::xml_node node, const char* attribute, const std::string& path) {
    if (!node.attribute(attribute)) return std::nullopt;
    const std::string field = path + "." + attribute;
    const std::size_t faults = faults_.size();
    const std::vector<double> all = numbers(node, attribute, field);
    if (faults_.size() == faults && all.size() != 1) fault(node, field, fmt::format("has {} numbers: expected one", all.size()));
    return all.size() == 1 ? all[0] : 0;
  }
  double needed(pugi::xml_node node, const char* attribute, const std::string& path) {
    const std::optional<double> value = number(node, attribute, path);
    if (!value) fault(node, path + "." + attribute, "is missing");
    return value.value_or(0);
  }
  double positive(pugi::xml_node node, const char* attribute, const std::string& path) {
    const std::size_t faults = faults_.size();
    const double value = needed(node, attribute, path);
    if (faults_.size() == faults && !(value > 0)) fault(node, path + "." + attribute, fmt::format("{:g} is not positive", value));
    return value;
  }
  double not_negative(pugi::xml_node node, const char* attribute, const std::string& path) {
    const double value = number(node, attribute, path).value_or(0);
    if (value < 0) fault(node, path + "." + attribute, fmt::format("{:g} is negative", value));
    return value;
  }

  Vec vector(pugi::xml_node node, const char* attribute, const std::string& path, const Vec& otherwise) {
    if (!node.attribute(attribute)) return otherwise;
    const std::string field = path + "." + attribute;
    const std::size_t faults = faults_.size();
    const std::vector<double> v = numbers(node, attribute, field);
    if (faults_.size() == faults && v.size() != 3) fault(node, field, fmt::format("has {} numbers: expected three", v.size()));
    return v.size() == 3 ? Vec{v[0], v[1], v[2]} : otherwise;
  }

  UrdfPose pose(pugi::xml_node above, const std::string& path) {
    const pugi::xml_node node = above.child("origin");
    const std::string field = path + ".origin";
    const Vec angles = vector(node, "rpy", field, {0, 0, 0});
    for (const double angle : {angles.x, angles.y, angles.z})
      if (!(math::abs(angle) <= kGreatestAngle)) {
        fault(node, field + ".rpy", fmt::format("{:g} is no angle in radians", angle), "roll, pitch and yaw are in radians, not in degrees");
        break;
      }
    UrdfPose pose{vector(node, "xyz", field, {0, 0, 0}), math::quat_from_euler(math::EulerAngles<double>{angles.z, angles.y, angles.x})};
    if (node.attribute("quat_xyzw")) pose.rotation = quaternion(node, field);
    return pose;
  }
  math::Quat<double> quaternion(pugi::xml_node node, const std::string& path) {
    const std::string field = path + ".quat_xyzw";
    const std::size_t faults = faults_.size();
    const std::vector<double> q = numbers(node, "quat_xyzw", field);
    if (node.attribute("rpy")) fault(node, field, "is given beside rpy", "keep one of the two");
    if (faults_.size() == faults && (q.size() != 4 || !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > kShortest)))
      fault(node, field, "is no rotation", "four numbers: x y z w");
    return faults_.size() == faults ? math::normalize(math::Quat<double>{q[3], q[0], q[1], q[2]}) : math::Quat<double>{1, 0, 0, 0};
  }

  // ---------------------------------------------------------------- links
  void read_link(pugi::xml_node node) {
    UrdfLink link;
    link.line = xml_.line_of(node);
    link.name = name_of(node, "link");
    const std::string path = "link[" + shown(link.name) + "]";
    if (!link.name.empty() && !links_.emplace(link.name, out_.links.size()).second)
      fault(node, path + ".name", "is the name of two links", "a name of its own for each link");
    if (const pugi::xml_node inertial = node.child("inertial")) link.inertial = inertial_of(inertial, path);
    for (const pugi::xml_node shape : node.children("collision")) add_shape(link.collision, shape, path + ".collision");
    for (const pugi::xml_node shape : node.children("visual")) add_shape(link.visual, shape, path + ".visual");
    if (const pugi::xml_node friction = node.child("contact").child("lateral_friction")) {
      const std::string field = path + ".contact.lateral_friction";
      link.friction = needed(friction, "value", field);
      if (*link.friction < 0) fault(friction, field + ".value", fmt::format("{:g} is negative", *link.friction));
    }
    out_.links.push_back(std::move(link));
  }

  UrdfInertial inertial_of(pugi::xml_node node, const std::string& link) {
    const std::string path = link + ".inertial";
    UrdfInertial out;
    out.pose = pose(node, path);
    const pugi::xml_node mass = node.child("mass"), inertia = node.child("inertia");
    if (!mass) {
      fault(node, path + ".mass", "is missing");
    } else if (out.mass = needed(mass, "value", path + ".mass"); out.mass < 0) {
      fault(mass, path + ".mass.value", fmt::format("{:g} kg is negative", out.mass));
    }
    if (!inertia) {
      remarks_.tell(link + " has no inertia: it counts as a point mass", xml_.line_of(node));
      return out;
    }
    const std::string field = path + ".inertia";
    out.inertia.diagonal = {needed(inertia, "ixx", field), needed(inertia, "iyy", field), needed(inertia, "izz", field)};
    out.inertia.products = {number(inertia, "ixy", field).value_or(0), number(inertia, "ixz", field).value_or(0), number(inertia, "iyz", field).value_or(0)};
    return out;
  }

  void add_shape(std::vector<UrdfShape>& to, pugi::xml_node node, const std::string& path) {
    UrdfShape shape;
    shape.name = node.attribute("name").as_string();
    shape.line = xml_.line_of(node);
    shape.pose = pose(node, path);
    std::vector<pugi::xml_node> shapes;
    for (const pugi::xml_node c : node.child("geometry").children())
      if (c.type() == pugi::node_element) shapes.push_back(c);
    if (shapes.size() != 1)
      return fault(node, path + ".geometry", fmt::format("has {} shapes", shapes.size()), "exactly one of box, cylinder, capsule, sphere, mesh");
    const std::string name = shapes[0].name(), field = path + "." + shown(name);
    if (name == "box") {
      const Vec size = vector(shapes[0], "size", field, {0, 0, 0});
      shape.kind = UrdfShapeKind::Box, shape.size = {size.x, size.y, size.z};
      if (!(size.x > 0 && size.y > 0 && size.z > 0)) fault(shapes[0], field + ".size", "is not positive");
    } else if (name == "cylinder" || name == "capsule") {
      shape.kind = name == "cylinder" ? UrdfShapeKind::Cylinder : UrdfShapeKind::Capsule;
      shape.radius = positive(shapes[0], "radius", field), shape.length = positive(shapes[0], "length", field);
    } else if (name == "sphere") {
      shape.kind = UrdfShapeKind::Sphere, shape.radius = positive(shapes[0], "radius", field);
    } else if (name == "mesh") {
      shape.kind = UrdfShapeKind::Mesh;
    } else {
      return;  // the grammar has told it
    }
    to.push_back(std::move(shape));
  }

  // ---------------------------------------------------------------- joints
  void read_joint(pugi::xml_node node) {
    UrdfJoint joint;
    joint.line = xml_.line_of(node);
    joint.name = name_of(node, "joint");
    const std::string path = "joint[" + shown(joint.name) + "]";
    if (!joint.name.empty() && !joints_.emplace(joint.name, out_.joints.size()).second)
      fault(node, path + ".name", "is the name of two joints", "a name of its own for each joint");
    if (!read_kind(node, joint, path)) return;
    joint.parent = link_of(node, "parent", path), joint.child = link_of(node, "child", path);
    joint.origin = pose(node, path);
    read_motion(node, joint, path);
    out_.joints.push_back(std::move(joint));
  }

  bool read_kind(pugi::xml_node node, UrdfJoint& joint, const std::string& path) {
    const std::string type = node.attribute("type").as_string();
    for (const auto& [name, kind] : kKinds)
      if (type == name) return joint.kind = kind, true;
    std::vector<std::string> known;
    for (const auto& [name, kind] : kKinds) known.emplace_back(name);
    fault(node, path + ".type", type.empty() ? "is missing" : "'" + shown(type) + "' is no type of joint", core::did_you_mean(type, known));
    return false;
  }

  std::size_t link_of(pugi::xml_node joint, const char* end, const std::string& path) {
    const pugi::xml_node node = joint.child(end);
    const std::string name = node.attribute("link").as_string(), field = path + "." + end + ".link";
    const auto found = links_.find(name);
    if (found != links_.end()) return found->second;
    if (name.empty())
      fault(node ? node : joint, field, "is missing");
    else
      fault(node, field, "no link is called '" + shown(name) + "'", core::did_you_mean(name, keys_of(links_)));
    return 0;
  }

  void read_motion(pugi::xml_node node, UrdfJoint& joint, const std::string& path) {
    const bool is_hinge = joint.kind == UrdfJointKind::Revolute || joint.kind == UrdfJointKind::Continuous;
    if (is_hinge) {
      const Vec axis = vector(node.child("axis"), "xyz", path + ".axis", {1, 0, 0});
      const double length = math::norm(axis);
      if (!(length > kShortest)) fault(node.child("axis"), path + ".axis.xyz", "points nowhere", "\"1 0 0\" turns about x");
      joint.axis = length > kShortest ? 1 / length * axis : Vec{1, 0, 0};
    }
    if (!is_hinge && joint.kind != UrdfJointKind::Spherical) return;
    const pugi::xml_node limit = node.child("limit"), dynamics = node.child("dynamics");
    if (joint.kind == UrdfJointKind::Revolute && !limit)
      fault(node, path + ".limit", "is missing", "lower and upper in rad; a joint without limits is continuous");
    if (limit.attribute("lower") || limit.attribute("upper")) {
      const std::string field = path + ".limit";
      joint.limit = UrdfLimit{number(limit, "lower", field).value_or(0), number(limit, "upper", field).value_or(0)};
      if (joint.limit->lower > joint.limit->upper) fault(limit, field + ".lower", "is above the upper limit", "swap the two");
    }
    joint.damping = not_negative(dynamics, "damping", path + ".dynamics");
    joint.friction = not_negative(dynamics, "friction", path + ".dynamics");
  }

  // Gazebo's friction of a link; all else of its elements is told
  void read_gazebo(pugi::xml_node node) {
    const auto link = links_.find(node.attribute("reference").as_string());
    const pugi::xml_node first = node.child("mu1") ? node.child("mu1") : node.child("mu"), second = node.child("mu2");
    const std::optional<double> friction = to_number(text_in(first)), other = to_number(text_in(second));
    if (link != links_.end() && friction && *friction >= 0 && *friction <= kGreatest) {
      out_.links[link->second].friction = friction;
      if (second && other != friction) remarks_.tell("element 'mu2' of 'gazebo' is not carried over: mu1 counts in all directions", xml_.line_of(second));
    } else if (first) {
      remarks_.tell("friction in 'gazebo' is not carried over: it is no number of a link", xml_.line_of(first));
    }
    for (const pugi::xml_node c : node.children()) {
      if (c.type() != pugi::node_element || c == first || c == second) continue;
      remarks_.tell("element '" + shown(c.name()) + "' of 'gazebo' is not carried over", xml_.line_of(c));
    }
  }

  const XmlFile& xml_;
  Urdf out_;
  UrdfRemarks remarks_;
  core::Faults faults_;
  std::map<std::string, std::size_t> links_, joints_;
};

}  // namespace

UrdfPose operator*(const UrdfPose& outer, const UrdfPose& inner) { return {outer * inner.position, outer.rotation * inner.rotation}; }
Vec operator*(const UrdfPose& pose, const Vec& point) { return pose.position + math::rotation_matrix(pose.rotation) * point; }

std::string shown(std::string_view name) {
  std::size_t size = std::min<std::size_t>(name.size(), 60);
  while (size > 0 && size < name.size() && (static_cast<unsigned char>(name[size]) & 0xc0) == 0x80) --size;  // whole characters
  std::string text(name.substr(0, size));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

std::string text_of(const UrdfRemark& remark, const std::string& file) {
  if (remark.lines.empty()) return file + ": " + remark.text;
  std::string text = fmt::format("{}:{}: {}", file, remark.lines[0], remark.text);
  const char* also = remark.lines.size() == 2 ? " (also in line" : " (also in lines";
  for (std::size_t k = 1; k < remark.lines.size() && k < kShownLines; ++k) text += fmt::format("{} {}", k == 1 ? also : ",", remark.lines[k]);
  if (remark.lines.size() > kShownLines) text += fmt::format(" and {} more", remark.lines.size() - kShownLines);
  return remark.lines.size() > 1 ? text + ")" : text;
}

core::Error Urdf::error(int at, std::string field, std::string message, std::string suggestion) const {
  core::Error error;
  error.file = file, error.line = at;
  error.field = std::move(field), error.message = std::move(message), error.suggestion = std::move(suggestion);
  return error;
}

core::Result<Urdf> parse_urdf(const std::string& text, const std::string& file_name) {
  const core::Result<XmlFile> xml = XmlFile::parse(text, file_name, "robot", "is this a URDF file? MJCF and SDF are not read");
  if (!xml) return xml.error();
  return UrdfReader(xml.value()).read();
}

}  // namespace volary::scenario
