// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

namespace volary::scenario {
namespace {

core::Result<std::string> nothing(const std::string&) { return core::Error{.message = "no such file"}; }

double area_of(const Mesh& m) {
  double sum = 0;
  for (const auto& t : m.triangles) {
    const auto &a = m.vertices[t[0]], &b = m.vertices[t[1]], &c = m.vertices[t[2]];
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    sum += 0.5 * std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }
  return sum;
}

// ---------------------------------------------------------------- OBJ

std::string obj_fault(const std::string& text) {
  const auto mesh = read_obj("a.obj", text);
  return mesh ? "" : mesh.error().message;
}

TEST(mesh_file, an_obj_face_may_name_its_corners_in_every_way_of_the_format) {
  const auto mesh = read_mesh("A.OBJ",
                              "# a square, and a triangle by numbers from the end\r\nmtllib x.mtl\no thing\nv 0 0 0\nv 2 0 0 1.0\nv 2 2.5e0 0\nv +0 2.5 0\n"
                              "vt 0 0\nvn 0 0 1\ns off\nf 1/1/1 2//1 \\\n 3/1 4\n\nv 0 0 1\nf -1 -4 -2\nl 1 2\n",
                              nothing);
  ASSERT_TRUE(mesh) << mesh.error().message;
  ASSERT_EQ(mesh.value().triangles.size(), 3u);
  EXPECT_EQ(mesh.value().vertices.size(), 5u);
  EXPECT_EQ(mesh.value().triangles[2], (std::array<std::uint32_t, 3>{4, 1, 3}));
}

TEST(mesh_file, a_face_that_is_not_convex_is_cut_into_its_own_area) {
  // an arrow head of area 2 and a fan of its first corner would be wrong; an L of area 3; the same standing upright
  const auto arrow = read_obj("a.obj", "v 2 0 0\nv 4 3 0\nv 2 1 0\nv 0 3 0\nf 1 2 3 4\n");
  ASSERT_TRUE(arrow) << arrow.error().message;
  EXPECT_NEAR(area_of(arrow.value()), 2, 1e-12);
  for (const char* text :
       {"v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n", "v 0 0 0\nv 0 2 0\nv 0 2 1\nv 0 1 1\nv 0 1 2\nv 0 0 2\nf 6 5 4 3 2 1\n",
        "v 0 7 0\nv 2 7 0\nv 2 7 1\nv 1 7 1\nv 1 7 2\nv 0 7 2\nf 4 5 6 1 2 3\n"}) {
    const auto l = read_obj("l.obj", text);
    ASSERT_TRUE(l) << l.error().message;
    EXPECT_EQ(l.value().triangles.size(), 4u);
    EXPECT_NEAR(area_of(l.value()), 3, 1e-12);
  }
}

TEST(mesh_file, a_bad_obj_is_refused_with_its_line) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(obj_fault(""), "a.obj has no faces");
  EXPECT_EQ(obj_fault(corners), "a.obj has no faces");
  EXPECT_EQ(obj_fault(corners + "f 1 2 4\n"), "a.obj:4: '4' is none of the 3 vertices above");
  EXPECT_EQ(obj_fault(corners + "f 1 2 0\n"), "a.obj:4: '0' is none of the 3 vertices above");
  EXPECT_EQ(obj_fault(corners + "f 1 2 -4\n"), "a.obj:4: '-4' is none of the 3 vertices above");
  EXPECT_EQ(obj_fault(corners + "f 1 2 x\n"), "a.obj:4: 'x' is none of the 3 vertices above");
  EXPECT_EQ(obj_fault(corners + "f 1 2\n"), "a.obj:4: a face has three corners or more, this one 2");
  EXPECT_EQ(obj_fault("v 0 0 nan\n"), "a.obj:1: 'nan' is not a finite number");
  EXPECT_EQ(obj_fault("v 0 1e999 0\n"), "a.obj:1: '1e999' is not a finite number");
  EXPECT_EQ(obj_fault("\n\nv 0 0\n"), "a.obj:3: a vertex has three numbers, this one 2");
  EXPECT_EQ(obj_fault(corners + "v 2 0 0\nf 1 2 4\n"), "a.obj:5: the face has corners on one line: a triangle without an area");
  EXPECT_EQ(obj_fault(corners + "f 1 2 2\n"), "a.obj:4: the face has corners on one line: a triangle without an area");
  EXPECT_EQ(obj_fault("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n"), "a.obj:5: the face crosses itself or has no area");
  EXPECT_EQ(obj_fault("surf 0 1\n"), "a.obj:1: 'surf' is not known here");
  EXPECT_EQ(obj_fault(std::string("\x89PNG\0\1", 6)), "a.obj:1: '?PNG?" "?' is not known here");
}

// ---------------------------------------------------------------- glTF

std::string floats(const std::vector<float>& list) {
  std::string bytes(list.size() * 4, '\0');
  std::memcpy(bytes.data(), list.data(), bytes.size());
  return bytes;
}
// a right triangle with legs of 1 and 2 in the plane of x and y, indices of 16 bits
const std::string kBytes = floats({0, 0, 0, 1, 0, 0, 0, 2, 0}) + std::string("\0\0\1\0\2\0", 6);

std::string base64(const std::string& bytes) {
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned x = 0;
    for (std::size_t k = 0; k < 3; ++k) x = x << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[x >> (18 - 6 * k) & 63];
  }
  return out;
}
std::string gltf(const std::string& nodes = R"([{"mesh":0}])", const std::string& buffer = R"({"byteLength":42,"uri":"a.bin"})",
                 const std::string& roots = "[0]") {
  return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":)" + roots + R"(}],"nodes":)" + nodes +
         R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},)" +
         R"({"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],)" +
         R"("buffers":[)" + buffer + "]}";
}
std::string glb(std::string json, std::string bytes) {
  auto number = [](std::size_t n) {
    std::string s(4, '\0');
    for (std::size_t k = 0; k < 4; ++k) s[k] = static_cast<char>(n >> (8 * k) & 255);
    return s;
  };
  json.resize((json.size() + 3) / 4 * 4, ' ');
  bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
  return "glTF" + number(2) + number(28 + json.size() + bytes.size()) + number(json.size()) + "JSON" + json + number(bytes.size()) + std::string("BIN\0", 4) +
         bytes;
}
core::Result<std::string> beside(const std::string& name) {
  if (name == "a.bin" || name == "deep/a b.bin") return kBytes;
  return core::Error{.message = "no such file"};
}
std::string fault(const std::string& text) {
  const auto mesh = read_mesh("a.gltf", text, beside);
  return mesh ? "" : mesh.error().message;
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(mesh_file, a_gltf_is_the_same_with_its_bytes_beside_it_embedded_or_in_one_file) {
  for (const std::string& text : {gltf(), gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"deep/a%20b.bin"})"),
                                  gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"data:application/octet-stream;base64,)" + base64(kBytes) + "\"}"),
                                  glb(gltf(R"([{"mesh":0}])", R"({"byteLength":42})"), kBytes)}) {
    const auto mesh = read_mesh("a.glb", text, beside);
    ASSERT_TRUE(mesh) << mesh.error().message;
    ASSERT_EQ(mesh.value().triangles.size(), 1u);
    EXPECT_EQ(mesh.value().vertices[2], (obstacles::Point{0, 2, 0}));
  }
}

TEST(mesh_file, nodes_turn_scale_and_move_their_children) {
  // a quarter about z, then 10 along x; the child is three times as large
  const auto mesh = read_mesh(
      "a.gltf", gltf(R"([{"children":[1],"translation":[10,0,0],"rotation":[0,0,0.70710678118654757,0.70710678118654757]},{"mesh":0,"scale":[3,3,3]}])"),
      beside);
  ASSERT_TRUE(mesh) << mesh.error().message;
  const auto& v = mesh.value().vertices;
  EXPECT_NEAR(v[1][0], 10, 1e-12);
  EXPECT_NEAR(v[1][1], 3, 1e-12);
  EXPECT_NEAR(v[2][0], 4, 1e-12);
  EXPECT_NEAR(v[2][1], 0, 1e-12);
  // the same by a matrix, column by column
  const auto matrix = read_mesh("a.gltf", gltf(R"([{"mesh":0,"matrix":[0,3,0,0, -3,0,0,0, 0,0,3,0, 10,0,0,1]}])"), beside);
  ASSERT_TRUE(matrix) << matrix.error().message;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(matrix.value().vertices[i][k], v[i][k], 1e-12);
  // a mirror turns the corners round, so that they still turn left from outside
  const auto mirrored = read_mesh("a.gltf", gltf(R"([{"mesh":0,"scale":[-1,1,1]}])"), beside);
  ASSERT_TRUE(mirrored);
  EXPECT_EQ(mirrored.value().triangles[0], (std::array<std::uint32_t, 3>{0, 2, 1}));
}

TEST(mesh_file, strips_and_fans_are_triangles_too) {
  const std::string square = floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  auto read = [&](const char* mode) {
    const std::string text =
        R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":)" + std::string(mode) +
        R"(}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":48}],"buffers":[{"byteLength":48}]})";
    return read_mesh("a.glb", glb(text, square), nothing);
  };
  const auto strip = read("5");
  ASSERT_TRUE(strip) << strip.error().message;
  EXPECT_NEAR(area_of(strip.value()), 1, 1e-12);
  EXPECT_EQ(strip.value().triangles[1], (std::array<std::uint32_t, 3>{1, 3, 2}));  // turns left like the first
  EXPECT_EQ(read("6").value().triangles.size(), 2u);
  EXPECT_FALSE(read("4"));  // four corners are no triangles
  EXPECT_FALSE(read("0"));  // points alone
}

TEST(mesh_file, a_bad_gltf_is_refused_with_its_reason) {
  EXPECT_EQ(fault("{"), "a.gltf is not valid JSON, so it is no glTF");
  EXPECT_EQ(fault("[]"), "a.gltf is not valid JSON, so it is no glTF");
  EXPECT_EQ(fault("{}"), "a.gltf does not say its glTF version");
  EXPECT_EQ(fault(R"({"asset":{"version":"1.0"}})"), "a.gltf is glTF 1.0: only 2.x can be read");
  EXPECT_EQ(fault(R"({"asset":{"version":"2.0"}})"), "a.gltf has no triangles");
  EXPECT_EQ(fault(R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]})"),
            "a.gltf needs KHR_draco_mesh_compression, which is not read here");
  EXPECT_EQ(fault(R"({"asset":{"version":"2.0"},"nodes":7})"), "a.gltf 'nodes' is not a list");
  EXPECT_EQ(fault(gltf(R"([{"mesh":5}])")), "a.gltf meshes[5] does not exist: the list has 1 entries");
  EXPECT_EQ(fault(gltf(R"([{"mesh":-1}])")), "a.gltf 'mesh' is not a whole number that fits");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0,"skin":0}])")), "a.gltf has a skeleton, which is not read here");
  EXPECT_EQ(fault(gltf(R"([{"children":[0]}])")), "a.gltf nodes[0] is a child twice: the nodes are no tree");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"../a.bin"})")), "a.gltf names the buffer '../a.bin', which is not beside it");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"%2e%2e/a.bin"})")), "a.gltf names the buffer '../a.bin', which is not beside it");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"/etc/passwd"})")), "a.gltf names the buffer '/etc/passwd', which is not beside it");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"http://x/a.bin"})")), "a.gltf names the buffer 'http://x/a.bin', which is not beside it");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"b.bin"})")), "a.gltf needs b.bin: no such file");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":43,"uri":"a.bin"})")), "a.gltf buffers[0] is cut off: 42 bytes of 43");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0}])", R"({"byteLength":42,"uri":"data:x;base64,?"})")), "a.gltf an embedded buffer is not base64");
  EXPECT_EQ(fault(replaced(gltf(), R"("count":3,"type":"VEC3")", R"("count":4,"type":"VEC3")")), "a.gltf accessors[0] reaches beyond its buffer");
  EXPECT_EQ(fault(replaced(gltf(), R"("count":3,"type":"VEC3")", R"("count":2,"type":"VEC3")")), "a.gltf accessors[1]: index 2 of 2 vertices");
  EXPECT_EQ(fault(replaced(gltf(), R"("count":3,"type":"VEC3")", R"("count":3,"type":"VEC3","sparse":{})")),
            "a.gltf accessors[0] is sparse, which is not read here");
  EXPECT_EQ(fault(replaced(gltf(), "5126", "5123")), "a.gltf accessors[0] is quantised: positions are read as 32-bit floats only");
  EXPECT_EQ(fault(replaced(gltf(), "VEC3", "VEC2")), "a.gltf accessors[0] is not VEC3");
  EXPECT_EQ(fault(replaced(gltf(), R"("byteLength":36)", R"("byteLength":36,"byteStride":4)")), "a.gltf accessors[0] has a stride of 4 bytes");
  EXPECT_EQ(fault(replaced(gltf(), R"("byteOffset":36)", R"("byteOffset":18446744073709551615)")), "a.gltf 'byteOffset' is not a whole number that fits");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0,"scale":[1,0,1]}])")), "a.gltf meshes[0]: triangle 0 has no area");
  EXPECT_EQ(fault(gltf(R"([{"mesh":0,"rotation":[0,0,0,0]}])")), "a.gltf a node has a rotation of no length");
  const auto not_finite =
      read_mesh("a.glb", glb(gltf(R"([{"mesh":0}])", R"({"byteLength":42})"), floats({0, 0, 0, 1, NAN, 0, 0, 2, 0}) + std::string(6, '\0')), nothing);
  ASSERT_FALSE(not_finite);
  EXPECT_EQ(not_finite.error().message, "a.glb accessors[0]: position 1 is not finite");
}

TEST(mesh_file, a_glb_cut_off_anywhere_or_with_a_byte_turned_is_an_error_or_a_mesh_never_a_crash) {
  const std::string whole = glb(gltf(R"([{"mesh":0}])", R"({"byteLength":42})"), kBytes);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_FALSE(read_mesh("a.glb", whole.substr(0, n), beside)) << n;
    std::string turned = whole;
    turned[n] = static_cast<char>(turned[n] ^ 0x15);
    (void)read_mesh("a.glb", turned, beside);
  }
  const auto cut = read_mesh("a.glb", whole.substr(0, 100), beside);
  EXPECT_NE(cut.error().message.find("is cut off: 100 bytes of "), std::string::npos) << cut.error().message;
}

TEST(mesh_file, other_endings_are_not_guessed_at) {
  const auto mesh = read_mesh("a.stl", "solid", nothing);
  ASSERT_FALSE(mesh);
  EXPECT_EQ(mesh.error().message, "a.stl is no mesh that can be read");
}

}  // namespace
}  // namespace volary::scenario
