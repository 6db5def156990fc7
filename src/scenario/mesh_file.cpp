// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "math/scalar.hpp"

namespace volary::scenario {

namespace {

using obstacles::Point;
using Corners = std::vector<std::uint32_t>;
constexpr std::size_t kMostCorners = 1000;  // of one face

std::string ending_of(const std::string& name) {
  std::string e = std::filesystem::path(name).extension().string();
  for (char& c : e)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return e;
}

// ---------------------------------------------------------------- faces into triangles

struct Flat2 {
  double x, y;
};
double turn(const Flat2& a, const Flat2& b, const Flat2& c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// the face seen along the axis on which it is broadest, its corners turning left
std::vector<Flat2> flatten(const std::vector<Point>& vertices, const Corners& face) {
  Point n = {0, 0, 0};  // Newell's normal: right for faces that are not quite flat
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Point &a = vertices[face[i]], &b = vertices[face[(i + 1) % face.size()]];
    for (std::size_t k = 0; k < 3; ++k) n[k] += (a[(k + 1) % 3] - b[(k + 1) % 3]) * (a[(k + 2) % 3] + b[(k + 2) % 3]);
  }
  const Point size = {math::abs(n[0]), math::abs(n[1]), math::abs(n[2])};
  const std::size_t axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  std::vector<Flat2> flat;
  for (const std::uint32_t i : face) {
    const double x = vertices[i][(axis + 1) % 3], y = vertices[i][(axis + 2) % 3];
    flat.push_back(n[axis] < 0 ? Flat2{y, x} : Flat2{x, y});
  }
  return flat;
}

// Cuts ears off a face (Meisters 1975); false when it has none, because it crosses itself or has no area.
bool triangulate(const std::vector<Point>& vertices, const Corners& face, std::vector<std::array<std::uint32_t, 3>>& out) {
  if (face.size() == 3) {
    out.push_back({face[0], face[1], face[2]});
    return true;
  }
  const std::vector<Flat2> flat = flatten(vertices, face);
  std::vector<std::size_t> left(face.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  auto is_ear = [&](std::size_t i) {
    const std::size_t n = left.size(), a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
    if (!(turn(flat[a], flat[b], flat[c]) > 0)) return false;
    return std::none_of(left.begin(), left.end(), [&](std::size_t p) {
      return p != a && p != b && p != c && turn(flat[a], flat[b], flat[p]) >= 0 && turn(flat[b], flat[c], flat[p]) >= 0 && turn(flat[c], flat[a], flat[p]) >= 0;
    });
  };
  while (left.size() > 3) {
    std::size_t i = 0;
    while (i < left.size() && !is_ear(i)) ++i;
    if (i == left.size()) return false;
    const std::size_t n = left.size();
    out.push_back({face[left[(i + n - 1) % n]], face[left[i]], face[left[(i + 1) % n]]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  out.push_back({face[left[0]], face[left[1]], face[left[2]]});
  return turn(flat[left[0]], flat[left[1]], flat[left[2]]) > 0;
}

// ---------------------------------------------------------------- OBJ

// words of the format that carry no faces
constexpr std::string_view kWithoutFaces[] = {"vn",     "vt", "vp", "o",     "g",        "s",        "mg",  "usemtl",     "mtllib",   "usemap",
                                              "maplib", "l",  "p",  "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj"};

class ObjReader {
 public:
  ObjReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}
  core::Result<Mesh> read() {
    while (next_line())
      if (const core::Status good = statement(); !good) return good.error();
    if (mesh_.triangles.empty()) return core::Error{.message = name_ + " has no faces"};
    return std::move(mesh_);
  }

 private:
  core::Error fault(std::string message, std::string suggestion = "") const {
    return core::Error{.message = fmt::format("{}:{}: {}", name_, line_, message), .suggestion = std::move(suggestion)};
  }

  // one statement; a backslash at the end of a line joins it with the next
  bool next_line() {
    words_.clear();
    if (at_ >= text_.size()) return false;
    line_ = next_;
    for (bool goes_on = true; goes_on && at_ < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++next_;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      goes_on = !line.empty() && line.back() == '\\';
      if (goes_on) line.remove_suffix(1);
      if (const std::size_t comment = line.find('#'); comment != line.npos) line = line.substr(0, comment);
      split(line);
    }
    return true;
  }
  void split(std::string_view line) {
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t begin = std::min(line.find_first_not_of(" \t", i), line.size()), end = std::min(line.find_first_of(" \t", begin), line.size());
      if (end > begin) words_.push_back(line.substr(begin, end - begin));
      i = end;
    }
  }

  core::Status statement() {
    if (words_.empty()) return core::ok();
    if (words_[0] == "v") return vertex();
    if (words_[0] == "f" || words_[0] == "fo") return face();
    if (std::find(std::begin(kWithoutFaces), std::end(kWithoutFaces), words_[0]) != std::end(kWithoutFaces)) return core::ok();
    return fault(fmt::format("'{}' is not known here", printable(words_[0])), "an OBJ file of vertices and faces, without curves");
  }
  static std::string printable(std::string_view word) {
    std::string s(word.substr(0, 20));
    for (char& c : s)
      if (c < ' ' || c > '~') c = '?';
    return s;
  }

  core::Status vertex() {
    if (words_.size() < 4) return fault(fmt::format("a vertex has three numbers, this one {}", words_.size() - 1));
    Point p;
    for (std::size_t k = 0; k < 3; ++k) {
      std::string_view word = words_[k + 1];
      if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);
      const auto [rest, code] = std::from_chars(word.data(), word.data() + word.size(), p[k]);
      if (rest != word.data() + word.size() || code != std::errc() || !std::isfinite(p[k]))
        return fault(fmt::format("'{}' is not a finite number", printable(words_[k + 1])));
    }
    mesh_.vertices.push_back(p);
    return core::ok();
  }

  // "7", "7/1", "7//3", "7/1/3"; from 1, or from the last one backwards
  std::optional<std::uint32_t> corner(std::string_view word) const {
    const std::string_view number = word.substr(0, word.find('/'));
    std::int64_t i = 0;
    const auto [rest, code] = std::from_chars(number.data(), number.data() + number.size(), i);
    const auto n = static_cast<std::int64_t>(mesh_.vertices.size());
    if (rest != number.data() + number.size() || code != std::errc() || i == 0 || i > n || i < -n) return std::nullopt;
    return static_cast<std::uint32_t>(i > 0 ? i - 1 : n + i);
  }

  core::Status face() {
    if (words_.size() < 4) return fault(fmt::format("a face has three corners or more, this one {}", words_.size() - 1));
    if (words_.size() > kMostCorners + 1) return fault(fmt::format("a face of {} corners: at most {}", words_.size() - 1, kMostCorners));
    Corners corners;
    for (std::size_t k = 1; k < words_.size(); ++k) {
      const std::optional<std::uint32_t> i = corner(words_[k]);
      if (!i) return fault(fmt::format("'{}' is none of the {} vertices above", printable(words_[k]), mesh_.vertices.size()));
      corners.push_back(*i);
    }
    const std::size_t before = mesh_.triangles.size();
    if (!triangulate(mesh_.vertices, corners, mesh_.triangles)) return fault("the face crosses itself or has no area");
    for (std::size_t k = before; k < mesh_.triangles.size(); ++k) {
      const auto& t = mesh_.triangles[k];
      if (!obstacles::has_area(mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]))
        return fault("the face has corners on one line: a triangle without an area", "remove degenerate faces before exporting");
    }
    if (mesh_.triangles.size() > obstacles::kMostTriangles) return fault(fmt::format("more than {} triangles", obstacles::kMostTriangles));
    return core::ok();
  }

  const std::string& name_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1, next_ = 1;  // of the statement, and of what comes after it
  std::vector<std::string_view> words_;
  Mesh mesh_;
};

}  // namespace

core::Result<Mesh> read_obj(const std::string& name, const std::string& text) { return ObjReader(name, text).read(); }

bool is_gltf(const std::string& name) { return ending_of(name) == ".gltf" || ending_of(name) == ".glb"; }

core::Result<Mesh> read_mesh(const std::string& name, const std::string& bytes, const ReadBeside& beside) {
  if (is_gltf(name)) return read_gltf(name, bytes, beside);
  if (ending_of(name) == ".obj") return read_obj(name, bytes);
  return core::Error{.message = name + " is no mesh that can be read", .suggestion = "files that end in .obj, .gltf or .glb can"};
}

}  // namespace volary::scenario
