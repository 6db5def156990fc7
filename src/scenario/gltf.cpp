// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The triangles of a glTF 2.0 file (Khronos specification 2.0.1): the default scene, its nodes with their transforms, positions and indices.
// Numbers of a hostile file are checked before they are used; what is compressed, sparse or bent by a skeleton is refused.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "math/scalar.hpp"
#include "scenario/mesh_file.hpp"

namespace volary::scenario {

namespace {

using Json = nlohmann::json;
using obstacles::Point;
constexpr std::uint64_t kMostBytes = 256u << 20;  // of all buffers together

// columns of a 3 x 4 matrix: where the axes and the origin go
struct Transform {
  std::array<Point, 4> column = {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}, Point{0, 0, 0}};
  Point turn(const Point& p) const {
    Point out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = column[0][k] * p[0] + column[1][k] * p[1] + column[2][k] * p[2];
    return out;
  }
  Point place(const Point& p) const {
    Point out = turn(p);
    for (std::size_t k = 0; k < 3; ++k) out[k] += column[3][k];
    return out;
  }
  bool mirrors() const {
    const Point &a = column[0], &b = column[1], &c = column[2];
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]) < 0;
  }
};
Transform operator*(const Transform& a, const Transform& b) { return {{a.turn(b.column[0]), a.turn(b.column[1]), a.turn(b.column[2]), a.place(b.column[3])}}; }

// what a fault deep inside is told with; read_gltf catches it
struct Fault {
  std::string message, suggestion = {};
};

// ---------------------------------------------------------------- values of the JSON

const Json& list_of(const Json& object, const char* key) {
  static const Json kEmpty = Json::array();
  const auto found = object.find(key);
  if (found == object.end()) return kEmpty;
  if (!found->is_array()) throw Fault{fmt::format("'{}' is not a list", key)};
  return *found;
}
std::uint64_t whole(const Json& object, const char* key, std::optional<std::uint64_t> absent = std::nullopt) {
  const auto found = object.find(key);
  if (found == object.end()) {
    if (absent) return *absent;
    throw Fault{fmt::format("'{}' is missing", key)};
  }
  if (!found->is_number_integer() || (!found->is_number_unsigned() && found->get<std::int64_t>() < 0) || found->get<std::uint64_t>() > kMostBytes * 16)
    throw Fault{fmt::format("'{}' is not a whole number that fits", key)};
  return found->get<std::uint64_t>();
}
const Json& item(const Json& root, const char* list, std::uint64_t index) {
  const Json& all = list_of(root, list);
  if (index >= all.size()) throw Fault{fmt::format("{}[{}] does not exist: the list has {} entries", list, index, all.size())};
  if (!all[index].is_object()) throw Fault{fmt::format("{}[{}] is not an object", list, index)};
  return all[index];
}
template <std::size_t N> std::optional<std::array<double, N>> numbers(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  std::array<double, N> out;
  if (!found->is_array() || found->size() != N) throw Fault{fmt::format("'{}' is not {} numbers", key, N)};
  for (std::size_t k = 0; k < N; ++k) {
    if (!(*found)[k].is_number()) throw Fault{fmt::format("'{}' is not {} numbers", key, N)};
    out[k] = (*found)[k].template get<double>();
    if (!std::isfinite(out[k])) throw Fault{fmt::format("'{}' has a number that is not finite", key)};
  }
  return out;
}

Transform transform_of(const Json& node) {
  if (const auto m = numbers<16>(node, "matrix")) {
    const auto& a = *m;
    if (a[3] != 0 || a[7] != 0 || a[11] != 0 || a[15] != 1) throw Fault{"a node has a matrix with perspective"};
    return {{Point{a[0], a[1], a[2]}, Point{a[4], a[5], a[6]}, Point{a[8], a[9], a[10]}, Point{a[12], a[13], a[14]}}};
  }
  const auto move = numbers<3>(node, "translation").value_or(Point{0, 0, 0}), scale = numbers<3>(node, "scale").value_or(Point{1, 1, 1});
  auto [x, y, z, w] = numbers<4>(node, "rotation").value_or(std::array<double, 4>{0, 0, 0, 1});
  const double n = math::sqrt(x * x + y * y + z * z + w * w);
  if (!(n > 0.5)) throw Fault{"a node has a rotation of no length"};
  x /= n, y /= n, z /= n, w /= n;
  Transform t;
  t.column = {Point{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
              Point{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
              Point{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}, move};
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < 3; ++k) t.column[c][k] *= scale[c];
  return t;
}

// ---------------------------------------------------------------- bytes

std::uint32_t little32(const std::string& bytes, std::size_t at) {
  std::uint32_t x = 0;
  for (std::size_t k = 4; k-- > 0;) x = x << 8 | static_cast<unsigned char>(bytes[at + k]);
  return x;
}

std::string from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0, n_bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) throw Fault{"an embedded buffer is not base64"};
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    n_bits += 6;
    if (n_bits >= 8) out += static_cast<char>(bits >> (n_bits -= 8) & 255);
  }
  return out;
}

std::string unescaped(const std::string& uri) {
  auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
  std::string out;
  for (std::size_t k = 0; k < uri.size(); ++k) {
    if (uri[k] == '%' && k + 2 < uri.size() && digit(uri[k + 1]) >= 0 && digit(uri[k + 2]) >= 0) {
      out += static_cast<char>(digit(uri[k + 1]) * 16 + digit(uri[k + 2]));
      k += 2;
    } else {
      out += uri[k];
    }
  }
  return out;
}
// a file in the mesh's own folder or below it
bool stays_beside(const std::string& path) {
  if (path.empty() || path[0] == '/' || path.find_first_of(":\\") != path.npos || path.find('\0') != path.npos) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (path.substr(begin, end - begin) == "..") return false;
    begin = end + 1;
  }
  return true;
}

// ---------------------------------------------------------------- the reader

class GltfReader {
 public:
  GltfReader(const ReadBeside& beside) : beside_(beside) {}
  Mesh read(const std::string& bytes) {
    open(bytes);
    check_version();
    read_buffers();
    visited_.assign(list_of(root_, "nodes").size(), false);
    for (const std::uint64_t node : roots()) visit(node, Transform{}, 0);
    if (mesh_.triangles.empty()) throw Fault{"has no triangles"};
    return std::move(mesh_);
  }

 private:
  // GLB: a header, a chunk of JSON and perhaps one of bytes; otherwise all of it is JSON
  void open(const std::string& bytes) {
    std::string_view text = bytes;
    if (bytes.starts_with("glTF")) {
      if (bytes.size() < 20) throw Fault{"is cut off: a GLB file has 20 bytes or more", "the file may not have been copied completely"};
      if (little32(bytes, 4) != 2) throw Fault{fmt::format("is GLB version {}: only 2 can be read", little32(bytes, 4))};
      if (little32(bytes, 8) > bytes.size())
        throw Fault{fmt::format("is cut off: {} bytes of {}", bytes.size(), little32(bytes, 8)), "the file may not have been copied completely"};
      const std::uint64_t json = little32(bytes, 12), total = little32(bytes, 8);
      if (little32(bytes, 16) != 0x4e4f534a || 20 + json > total) throw Fault{"is damaged: its first chunk is no JSON"};
      text = text.substr(20, json);
      if (std::uint64_t next = 20 + json; next + 8 <= total && little32(bytes, next + 4) == 0x004e4942) {
        if (next + 8 + little32(bytes, next) > total) throw Fault{"is damaged: its chunk of bytes is longer than the file"};
        chunk_ = bytes.substr(next + 8, little32(bytes, next));
      }
    }
    root_ = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!root_.is_object()) throw Fault{"is not valid JSON, so it is no glTF", "it may be cut off"};
  }

  void check_version() const {
    const auto asset = root_.find("asset");
    if (asset == root_.end() || !asset->is_object() || !asset->contains("version") || !(*asset)["version"].is_string())
      throw Fault{"does not say its glTF version"};
    const std::string version = (*asset)["version"].get<std::string>().substr(0, 20);
    if (!version.starts_with("2.")) throw Fault{"is glTF " + version + ": only 2.x can be read"};
    for (const Json& extension : list_of(root_, "extensionsRequired")) {
      const std::string name = extension.is_string() ? extension.get<std::string>().substr(0, 60) : "?";
      // how it looks does not matter here
      if (name.starts_with("KHR_materials_") || name.starts_with("KHR_texture_")) continue;
      throw Fault{"needs " + name + ", which is not read here", "export it without compression and quantisation"};
    }
  }

  void read_buffers() {
    std::uint64_t total = 0;
    const Json& all = list_of(root_, "buffers");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Json& buffer = item(root_, "buffers", i);
      const std::uint64_t length = whole(buffer, "byteLength");
      const auto uri = buffer.find("uri");
      if (uri == buffer.end()) {
        if (i != 0) throw Fault{fmt::format("buffers[{}] has no bytes", i)};
        buffers_.push_back(chunk_);
      } else {
        if (!uri->is_string()) throw Fault{fmt::format("buffers[{}].uri is not a text", i)};
        buffers_.push_back(bytes_of(uri->get<std::string>()));
      }
      if (buffers_.back().size() < length) throw Fault{fmt::format("buffers[{}] is cut off: {} bytes of {}", i, buffers_.back().size(), length)};
      if ((total += buffers_.back().size()) > kMostBytes) throw Fault{"has more than 256 MiB of buffers"};
    }
  }
  std::string bytes_of(const std::string& uri) const {
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(',');
      if (comma == uri.npos || !uri.substr(0, comma).ends_with(";base64")) throw Fault{"an embedded buffer is not base64"};
      return from_base64(std::string_view(uri).substr(comma + 1));
    }
    const std::string path = unescaped(uri);
    if (!stays_beside(path)) throw Fault{"names the buffer '" + path.substr(0, 60) + "', which is not beside it"};
    core::Result<std::string> bytes = beside_(path);
    if (!bytes) throw Fault{"needs " + path.substr(0, 60) + ": " + bytes.error().message};
    return std::move(bytes).value();
  }

  // of the default scene; of a file without scenes, every node that is nobody's child
  std::vector<std::uint64_t> roots() const {
    std::vector<std::uint64_t> out;
    if (!list_of(root_, "scenes").empty()) {
      for (const Json& node : list_of(item(root_, "scenes", whole(root_, "scene", 0)), "nodes")) out.push_back(index_in(node));
      return out;
    }
    const std::size_t n = list_of(root_, "nodes").size();
    std::vector<bool> is_child(n, false);
    for (std::size_t i = 0; i < n; ++i)
      for (const Json& child : list_of(item(root_, "nodes", i), "children"))
        if (const std::uint64_t k = index_in(child); k < n) is_child[k] = true;
    for (std::size_t i = 0; i < n; ++i)
      if (!is_child[i]) out.push_back(i);
    return out;
  }
  static std::uint64_t index_in(const Json& x) {
    if (!x.is_number_unsigned()) throw Fault{"a list of nodes holds something that is no number"};
    return x.get<std::uint64_t>();
  }

  void visit(std::uint64_t index, const Transform& parent, int depth) {
    const Json& node = item(root_, "nodes", index);
    if (visited_[index] || depth > 256) throw Fault{fmt::format("nodes[{}] is a child twice: the nodes are no tree", index)};
    visited_[index] = true;
    const Transform here = parent * transform_of(node);
    if (node.contains("mesh")) {
      if (node.contains("skin")) throw Fault{"has a skeleton, which is not read here", "export it with modifiers applied"};
      const std::uint64_t mesh = whole(node, "mesh");
      for (const Json* weighted : {&node, &item(root_, "meshes", mesh)})
        for (const Json& weight : list_of(*weighted, "weights"))
          if (weight != 0) throw Fault{"has morph targets that are not at rest, which are not read here", "export it with modifiers applied"};
      for (const Json& primitive : list_of(item(root_, "meshes", mesh), "primitives")) add(primitive, here, fmt::format("meshes[{}]", mesh));
    }
    for (const Json& child : list_of(node, "children")) visit(index_in(child), here, depth + 1);
  }

  // where the values of an accessor lie, checked to the last byte
  struct View {
    const unsigned char* data;
    std::uint64_t count, stride;
  };
  View view_of(std::uint64_t index, const char* type, std::uint64_t size) const {
    const Json& a = item(root_, "accessors", index);
    if (a.contains("sparse")) throw Fault{fmt::format("accessors[{}] is sparse, which is not read here", index)};
    if (a.value("normalized", Json(false)) == Json(true)) throw Fault{fmt::format("accessors[{}] is quantised, which is not read here", index)};
    if (a.value("type", Json()) != Json(type)) throw Fault{fmt::format("accessors[{}] is not {}", index, type)};
    const Json& v = item(root_, "bufferViews", whole(a, "bufferView"));
    const std::uint64_t buffer = whole(v, "buffer"), offset = whole(v, "byteOffset", 0), length = whole(v, "byteLength");
    const std::uint64_t within = whole(a, "byteOffset", 0), count = whole(a, "count"), stride = whole(v, "byteStride", size);
    if (buffer >= buffers_.size()) throw Fault{fmt::format("buffers[{}] does not exist: the list has {} entries", buffer, buffers_.size())};
    if (stride < size || stride > 252) throw Fault{fmt::format("accessors[{}] has a stride of {} bytes", index, stride)};
    const bool fits = count == 0 || within + (count - 1) * stride + size <= length;
    if (offset + length > buffers_[buffer].size() || !fits) throw Fault{fmt::format("accessors[{}] reaches beyond its buffer", index)};
    return {reinterpret_cast<const unsigned char*>(buffers_[buffer].data()) + offset + within, count, stride};
  }

  void add_positions(std::uint64_t accessor, const Transform& here) {
    if (whole(item(root_, "accessors", accessor), "componentType") != 5126)
      throw Fault{fmt::format("accessors[{}] is quantised: positions are read as 32-bit floats only", accessor), "export it without quantisation"};
    const View v = view_of(accessor, "VEC3", 12);
    if (mesh_.vertices.size() + v.count > 3 * obstacles::kMostTriangles) throw Fault{fmt::format("has more than {} vertices", 3 * obstacles::kMostTriangles)};
    for (std::uint64_t i = 0; i < v.count; ++i) {
      Point p;
      for (std::size_t k = 0; k < 3; ++k) {
        const unsigned char* at = v.data + i * v.stride + 4 * k;
        const std::uint32_t bits = static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 | static_cast<std::uint32_t>(at[2]) << 16 |
                                   static_cast<std::uint32_t>(at[3]) << 24;
        float x;
        std::memcpy(&x, &bits, 4);
        if (!std::isfinite(x)) throw Fault{fmt::format("accessors[{}]: position {} is not finite", accessor, i)};
        p[k] = static_cast<double>(x);
      }
      mesh_.vertices.push_back(here.place(p));
    }
  }

  std::vector<std::uint32_t> indices_of(std::uint64_t accessor, std::uint64_t n_vertices) const {
    const std::uint64_t type = whole(item(root_, "accessors", accessor), "componentType"), size = type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 ? 4 : 0;
    if (size == 0) throw Fault{fmt::format("accessors[{}] has indices of type {}", accessor, type)};
    const View v = view_of(accessor, "SCALAR", size);
    std::vector<std::uint32_t> out;
    out.reserve(v.count);
    for (std::uint64_t i = 0; i < v.count; ++i) {
      std::uint32_t x = 0;
      for (std::uint64_t k = size; k-- > 0;) x = x << 8 | v.data[i * v.stride + k];
      if (x >= n_vertices) throw Fault{fmt::format("accessors[{}]: index {} of {} vertices", accessor, x, n_vertices)};
      out.push_back(x);
    }
    return out;
  }

  void add(const Json& primitive, const Transform& here, const std::string& where) {
    if (!primitive.is_object()) throw Fault{where + " has a primitive that is no object"};
    const std::uint64_t mode = whole(primitive, "mode", 4);
    if (mode < 4) return;  // points and lines have no area
    if (mode > 6) throw Fault{fmt::format("{} has a primitive of mode {}", where, mode)};
    if (primitive.contains("extensions") && primitive["extensions"].is_object())
      for (const auto& [name, value] : primitive["extensions"].items())
        if (name.find("compression") != name.npos) throw Fault{where + " is compressed by " + name, "export it without compression"};
    const auto attributes = primitive.find("attributes");
    if (attributes == primitive.end() || !attributes->is_object() || !attributes->contains("POSITION")) throw Fault{where + " has no positions"};
    const std::size_t first = mesh_.vertices.size();
    add_positions(whole(*attributes, "POSITION"), here);
    const std::size_t n = mesh_.vertices.size() - first;
    std::vector<std::uint32_t> order;
    if (primitive.contains("indices")) {
      order = indices_of(whole(primitive, "indices"), n);
    } else {
      for (std::size_t i = 0; i < n; ++i) order.push_back(static_cast<std::uint32_t>(i));
    }
    add_triangles(order, mode, static_cast<std::uint32_t>(first), here.mirrors(), where);
  }

  // mode 4: one by one; 5: a strip, every second one turned; 6: a fan
  void add_triangles(const std::vector<std::uint32_t>& order, std::uint64_t mode, std::uint32_t first, bool mirrored, const std::string& where) {
    if (mode == 4 && order.size() % 3 != 0) throw Fault{fmt::format("{} has {} corners: triangles have three each", where, order.size())};
    for (std::size_t i = 0; i + 2 < order.size(); i += mode == 4 ? 3 : 1) {
      std::array<std::uint32_t, 3> t = {order[mode == 6 ? 0 : i], order[i + 1], order[i + 2]};
      // in a strip, a corner named twice only leads on to the next stretch
      if (mode == 5 && (t[0] == t[1] || t[1] == t[2] || t[0] == t[2])) continue;
      if (mirrored != (mode == 5 && i % 2 == 1)) std::swap(t[1], t[2]);
      for (std::uint32_t& k : t) k += first;
      if (!obstacles::has_area(mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]))
        throw Fault{fmt::format("{}: triangle {} has no area", where, mode == 4 ? i / 3 : i), "remove degenerate faces before exporting"};
      mesh_.triangles.push_back(t);
    }
    if (mesh_.triangles.size() > obstacles::kMostTriangles) throw Fault{fmt::format("has more than {} triangles", obstacles::kMostTriangles)};
  }

  const ReadBeside& beside_;
  Json root_;
  std::string chunk_;  // of a GLB file
  std::vector<std::string> buffers_;
  std::vector<bool> visited_;
  Mesh mesh_;
};

}  // namespace

core::Result<Mesh> read_gltf(const std::string& name, const std::string& bytes, const ReadBeside& beside) {
  try {
    return GltfReader(beside).read(bytes);
  } catch (const Fault& fault) {
    return core::Error{.message = name + " " + fault.message, .suggestion = fault.suggestion};
  }
}

}  // namespace volary::scenario
