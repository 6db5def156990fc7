// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// No file may crash a reader: meshes, GeoTIFFs, pictures, Lua, tasks, tables of coefficients and propellers, wind fields, robots in URDF. Seeds are made here. As a libFuzzer target the first byte says which reader
// it is for; with -DVOLARY_FUZZ_MAIN it is a program that mutates by itself, and one that writes the seeds for the other:
//
//   fuzz_files mesh|tiff|picture|lua|task|coefficients|propeller|wind|urdf [iterations = 10000] [seed = 1]
//   fuzz_files seeds FOLDER
#ifdef VOLARY_FUZZ
#include <tiffio.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/scratch_folder.hpp"
#include "fuzz_support.hpp"
#include "math/lookup.hpp"
#include "scenario/airframe.hpp"
#include "scenario/coefficient_table.hpp"
#include "scenario/geotiff.hpp"
#include "scenario/image.hpp"
#include "scenario/load.hpp"
#include "scenario/mesh_file.hpp"
#include "scenario/propeller_table.hpp"
#include "scenario/urdf_platform.hpp"
#include "scenario/wind_field_file.hpp"
#include "swarm/script/lua_task.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace volary::fuzz {

namespace {

const std::string kRoot = VOLARY_SOURCE_DIR;

// ---------------------------------------------------------------- seeds

std::string number(std::uint32_t n) {
  std::string s(4, '\0');
  std::memcpy(s.data(), &n, 4);
  return s;
}

// corners and their order, as a buffer of glTF has them
std::string triangle() {
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
  const std::uint16_t order[4] = {0, 1, 2, 0};
  std::string bytes(44, '\0');
  std::memcpy(bytes.data(), corners, 36);
  std::memcpy(bytes.data() + 36, order, 8);
  return bytes;
}

std::vector<std::string> mesh_seeds() {
  const std::string nodes =
      R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"children":[1]},{"mesh":0,"translation":[1,2,3],"scale":[2,2,2]}],)";
  const std::string shapes =
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},)"
      R"({"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],)";
  const std::string binary = triangle();
  std::string json = nodes + shapes + R"("buffers":[{"byteLength":42}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto size = static_cast<std::uint32_t>(28 + json.size() + binary.size());
  const std::string glb = "glTF" + number(2) + number(size) + number(static_cast<std::uint32_t>(json.size())) + "JSON" + json +
                          number(static_cast<std::uint32_t>(binary.size())) + std::string("BIN\0", 4) + binary;
  return {"v 0 0 0\nv 2 0 0 1.0\nv 2 2.5e0 0\nv +0 2.5 0\nvt 0 0\nvn 0 0 1\ns off\nf 1/1/1 2//1 \\\n 3/1 4\n\nv 0 0 1\nf -1 -4 -2\nl 1 2\n",
          "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n", glb, nodes + shapes + R"("buffers":[{"byteLength":42,"uri":"a.bin"}]})"};
}

std::string make_tiff(std::uint16_t bits, std::uint16_t format, int compression, std::uint32_t tile) {
  const volary::core::ScratchFolder folder;
  const std::string name = folder.file("seed.tif");
  TIFF* t = TIFFOpen(name.c_str(), "w");
  const TIFFFieldInfo fields[] = {{33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("scale")},
                                  {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("tie")},
                                  {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, const_cast<char*>("keys")}};
  TIFFMergeFieldInfo(t, fields, 3);
  constexpr std::uint32_t kSide = 32;
  TIFFSetField(t, TIFFTAG_IMAGEWIDTH, kSide);
  TIFFSetField(t, TIFFTAG_IMAGELENGTH, kSide);
  TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format);
  TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(t, TIFFTAG_COMPRESSION, compression);
  double scale[] = {10, 10, 0}, tie[] = {0, 0, 0, 600'000, 6'100'000, 0};
  std::uint16_t keys[] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32755};
  TIFFSetField(t, 33550, 3, scale);
  TIFFSetField(t, 33922, 6, tie);
  TIFFSetField(t, 34735, 16, keys);
  std::vector<unsigned char> data(std::size_t{kSide} * kSide * bits / 8);
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = format == SAMPLEFORMAT_IEEEFP || (bits == 16 && k % 2 == 1) ? 0 : static_cast<unsigned char>(k % 50);
  if (tile > 0) {
    TIFFSetField(t, TIFFTAG_TILEWIDTH, tile);
    TIFFSetField(t, TIFFTAG_TILELENGTH, tile);
    for (std::uint32_t k = 0; k < kSide * kSide / (tile * tile); ++k)
      TIFFWriteEncodedTile(t, k, data.data(), static_cast<tmsize_t>(std::size_t{tile} * tile * bits / 8));
  } else {
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 8);
    for (std::uint32_t k = 0; k < kSide / 8; ++k) TIFFWriteEncodedStrip(t, k, data.data(), static_cast<tmsize_t>(std::size_t{kSide} * bits));
  }
  TIFFClose(t);
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::vector<std::string> tiff_seeds() {
  return {make_tiff(16, SAMPLEFORMAT_INT, COMPRESSION_NONE, 0), make_tiff(32, SAMPLEFORMAT_IEEEFP, COMPRESSION_LZW, 16),
          make_tiff(16, SAMPLEFORMAT_UINT, COMPRESSION_ADOBE_DEFLATE, 16), make_tiff(8, SAMPLEFORMAT_UINT, COMPRESSION_PACKBITS, 0)};
}

void append(void* to, void* data, int size) { static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size)); }
std::vector<std::string> picture_seeds() {
  std::vector<unsigned char> pixels(24 * 16 * 4);
  for (std::size_t k = 0; k < pixels.size(); ++k) pixels[k] = static_cast<unsigned char>(7 * k + k / 64);
  std::string png, grey, jpeg, bmp, tga;
  stbi_write_png_to_func(append, &png, 24, 16, 4, pixels.data(), 24 * 4);
  stbi_write_png_to_func(append, &grey, 24, 16, 1, pixels.data(), 24);
  stbi_write_jpg_to_func(append, &jpeg, 24, 16, 3, pixels.data(), 60);
  stbi_write_bmp_to_func(append, &bmp, 24, 16, 3, pixels.data());
  stbi_write_tga_to_func(append, &tga, 24, 16, 3, pixels.data());
  return {png, grey, jpeg, bmp, tga, "P5 6 4 255\n" + std::string(24, 'x')};
}

std::vector<std::string> lua_seeds() {
  std::vector<std::string> seeds = {
      "params = { a = 1, b = 2.5 }\nlocal list = { 1, 2, { x = 3 } }\nfunction trigger(me) return me.time > 1 and me.params.a or 0 end\n"
      "function act(me)\n  local m = me.memory\n  m.n = (m.n or 0) + 1\n  m.list = m.list or { vec(1, 2, 3), true, 'x' }\n"
      "  for k, v in pairs(m) do m[k] = v end\n  table.sort(me.others, function(a, b) return a.id > b.id end)\n"
      "  say('found', { 1, 2, #me.others }, 3)\n  fly(math.sin(me.time), random(), me.obstacle and me.obstacle.distance or 0)\nend\n",
      "params = { far = 3 }\nfunction holds(world)\n  local n = 0\n  for i, v in ipairs(vehicles('a')) do if inside(v, 'r') then n = n + 1 end end\n"
      "  world.memory.n = n\n  return n > #heard('found') + #seen('person') + #world.events + #world.links, string.format('%d of %s', n, world.time)\nend\n",
      "function act(me) local s = string.rep('ab', 100) .. tostring(me.position) fly(#s:sub(2, -2), string.byte(s, 3), tonumber('0x1p4')) end\n"};
  for (const char* name : {"flock", "follow", "search", "in_line", "gathered"}) {
    std::ifstream in(kRoot + "/examples/behaviours/" + name + ".lua", std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

std::vector<std::string> task_seeds() {
  return {
      "  - {name: a, reached: {flock: f, position: [1, 2, 3], within: 2}, within: 9}\n  - {name: b, not: {inside: {flock: f, region: r, share: 0.5}}}\n",
      "  - name: a\n    sequence:\n      - held: {for: 2, what: {speed_below: {flock: f, speed: 0.2}}}\n      - {task: b, within: 3}\n  - {name: b, required: "
      "false, no_event: crashed}\n",
      "  - {name: a, any_of: [{altitude_above: {flock: f, height: 3, over_ground: true, count: 2}}, {outside: {flock: f, region: r, vehicle: 1}}]}\n",
      "  - {name: a, always: {apart: {distance: 1}}}\n  - {name: b, coverage: {min: [0, 0], max: [9, 9], radius: 2, share: 0.5}}\n  - {name: c, order: {above: "
      "0.5}}\n",
      "  - {name: a, formation: {flock: f, offsets: [[0, 0, 0], [1, 0, 0], [2, 0, 0]], turned: true}}\n  - {name: b, eventually: {connected: {flock: f}}}\n",
      "  - {name: a, heard: {flock: f, topic: x}}\n  - {name: b, detected: {flock: f, kind: Crazyflie 2.1}}\n  - {name: c, mode_is: {flock: f, mode: land}}\n  "
      "- "
      "{name: d, alive: {flock: f}}\n",
      "  - {name: a, all_of: [{time_after: 3}, {event: removed}, {altitude_below: {flock: f, height: 3}}, {script: {file: ../tests/bad/task.lua, params: "
      "{distance: 2}}}]}\n"};
}

std::vector<std::string> coefficient_seeds() {
  return {
      "# a wing\nalpha_deg,beta_deg,CL,CD,CY,Cl,Cm,Cn\n-4,-5,-0.1,0.03,0.05,0.01,0.02,-0.004\n-4,5,-0.1,0.03,0.05,0.01,0.02,-0.004\n"
      "8,-5,0.9,0.06,0.05,0.01,-0.06,-0.005\n8,5,0.9,0.06,0.05,0.01,-0.06,-0.005\n",
      "alpha_rad,mach,CX,CZ,CY,Cl,Cm,Cn\r\n0.1,0.2,0.05,-1,0,0,0.5,0\r\n0.1,0.8,0.05,-1.2,0,0,-0.5,0\r\n-0.1,0.2,-0.2,0.9,0,0,0.6,0\r\n-0.1,0.8,-0.2,0.8,0,0,1,"
      "0",
      "alpha_deg,CL,CD,CY,Cl,Cm,Cn\n-180,0,0.02,0,0,0,0\n180,0,0.02,0,0,0,0\n0,1e0,+0.1,0,0,0,0\n"};
}

std::vector<std::string> propeller_seeds() {
  return {"PropName,D,J,N,CT,CP\na,10,0.1,4005,0.08,0.04\na,10,0.4,4010,0.04,0.03\na,10,0,3919,0.09,0.04\n",
          "J,CT,CP\n0,0.1,0.05\n0.5,0.03,0.03\n0.5001,0.03,0.03\n", "name,rpm,diameter_m,CP,CT,J\na,100,0.2,0.05,0.1,-0.1\na,101,0.2,0.02,-0.1,0.9\n"};
}

std::vector<std::string> wind_seeds() {
  return {"east,north,wind_east,wind_north\n0,0,1,2\n10,0,3,4\n0,10,5,6\n10,10,7,8\n",
          "time,up,north,east,wind_up,wind_north,wind_east\r\n0,0,0,0,1,2,3\r\n0,5.5,0,0,1,2,3\r\n60,0,0,0,1,2,3\r\n60,5.5,0,0,1,2,3\r\n"};
}

std::vector<std::string> urdf_seeds() {
  const std::string quad = "<inertial><mass value=\"1.6\"/><inertia ixx=\"0.0126\" iyy=\"0.0136\" izz=\"0.0237\"/></inertial></link>";
  const std::string hub =
      "<robot name=\"r\"><link name=\"hub\"><inertial><origin xyz=\"0 0 0\" rpy=\"0 0 0\"/><mass value=\"1.1\"/><inertia ixx=\"0.05\" iyy=\"0.05\" izz=\"0.1\" "
      "ixy=\"0\"/>"
      "</inertial><collision><geometry><box size=\"0.3 0.3 0.06\"/></geometry></collision></link><link name=\"a\">" +
      quad + "<link name=\"b\">" + quad;
  const std::string left = "<origin xyz=\"0 1 0.1\"/><parent link=\"hub\"/><child link=\"a\"/>",
                    right = "<origin xyz=\"0 -1 0.1\"/><parent link=\"hub\"/><child link=\"b\"/>";
  return {hub + "<joint name=\"ja\" type=\"spherical\">" + left + "</joint><joint name=\"jb\" type=\"ball\">" + right + "</joint></robot>",
          hub +
              "<link name=\"pole\"><inertial><mass value=\"0\"/></inertial><collision><origin xyz=\"0.5 0 0\" rpy=\"0 1.5708 0\"/><geometry><capsule "
              "radius=\"0.02\" length=\"1\"/>"
              "</geometry></collision></link><joint name=\"m\" type=\"fixed\"><parent link=\"hub\"/><child link=\"pole\"/></joint><joint name=\"ja\" "
              "type=\"spherical\">" +
              left + "<limit upper=\"0.5\"/></joint><joint name=\"jb\" type=\"spherical\">" + right +
              "<dynamics damping=\"0.1\" friction=\"0.2\"/></joint><gazebo reference=\"pole\"><mu1>1</mu1></gazebo></robot>"};
}

// ---------------------------------------------------------------- readers

std::string refusal;  // of the last file that was refused

// an error has words; nothing else is asked of it here
template <class Result> bool accepted(const Result& result) {
  if (!result && result.error().message.empty()) std::abort();
  if (!result) refusal = result.error().text();
  return static_cast<bool>(result);
}

bool try_mesh(const std::string& bytes) {
  const auto beside = [](const std::string&) -> core::Result<std::string> { return triangle(); };
  const bool obj = accepted(scenario::read_mesh("a.obj", bytes, beside)), glb = accepted(scenario::read_mesh("a.glb", bytes, beside));
  return obj || glb;
}

bool try_tiff(const std::string& bytes) {
  scenario::GeotiffTerrainFile f;
  f.file = "a.tif";
  f.east = 600'150;
  f.north = 6'099'850;
  f.width = 100;
  f.depth = 80;
  return accepted(scenario::read_geotiff(bytes, f));
}

bool try_picture(const std::string& bytes) { return accepted(scenario::decode_image(bytes)); }

// as a behaviour, decided twice on two shards, which must agree; and as a task
bool try_lua(const std::string& text) {
  using namespace swarm;
  const ScriptLimits limits{.instructions = 20'000, .heap = 1u << 20, .memory = 4096};
  bool good = false;
  if (const auto script = Script::load(text, "fuzz.lua", 2, limits); accepted(script)) {
    const std::vector<Known> others = {{.from = 3, .tick = 9, .position = {1, 2, 3}, .velocity = {4, 5, 6}, .intent = {7, 8, 9}, .role = 2},
                                       {.from = 5, .tick = 1}};
    const std::vector<Message> heard = {{.from = 5, .to = 6, .tick = 8, .topic = topic("found"), .count = 3, .values = {1.5, 2.5, 0}}};
    const std::vector<Detection> seen = {{.object = 12, .kind = topic("person"), .position = {0, 1, 0}}};
    Sense sense;
    sense.tick = 10;
    sense.time = 1.5;
    sense.others = others, sense.messages = heard, sense.detections = seen;
    sense.solid = {.near = true, .way = {0, 0, -1}, .distance = 1};
    std::vector<std::byte> memory[2];
    std::vector<Message> said[2];
    for (int turn = 0; turn < 3; ++turn) {
      Script::Outcome outcome[2];
      for (std::size_t shard : {0u, 1u}) {
        Outbox out(said[shard]);
        outcome[shard] = script.value()->decide(shard, sense, script.value()->defaults(), memory[shard], out);
      }
      if (outcome[0].ok != outcome[1].ok || outcome[0].error != outcome[1].error || memory[0] != memory[1] || said[0].size() != said[1].size()) std::abort();
      good = good || outcome[0].ok;
    }
  }
  if (const auto task = TaskScript::load(text, "fuzz.lua", limits); accepted(task)) {
    const std::vector<VehicleFact> vehicles = {{.id = 1, .position = {1, 2, 3}, .regions = 1}, {.id = 2, .number = 1, .alive = false}};
    const FlockFact flock{vehicles};
    const std::vector<HeardFact> heard = {{1, topic("found")}};
    const std::vector<EventFact> events = {{"landed"}};
    std::vector<std::byte> memory;
    const TaskWorld world{{"a", "line", "searchers", "lost"}, {"r"}};
    const FlockFact flocks[] = {flock, flock, flock, flock};
    for (int turn = 0; turn < 3; ++turn) good = task.value()->look({10, 1, flocks, heard, {}, events, {}}, world, task.value()->defaults(), memory).ok || good;
  }
  return good;
}

// every place of a table that was made has a value
template <int K> bool is_sound(const std::vector<double>& blob) {
  const auto table = math::table_view(blob.data());
  for (const double x : {-1e9, -0.1, 0.0, 0.3, 1e9}) {
    double v[K];
    math::interpolate1(table, math::find_on_axis(table.axis[0], x), v);
    for (const double y : v)
      if (!(y - y == 0)) return false;
  }
  return true;
}

// what is accepted can be asked anywhere
bool try_wind(const std::string& text) {
  const auto grid = scenario::read_wind_field(text, "a.csv");
  if (!accepted(grid)) return false;
  for (const double at : {-1e9, 0.0, 3.7, 1e9}) {
    const auto w = environment::grid_wind_at<double>(wind_field::at_time<double>(*grid.value(), at), {at, -at, at});
    if (!(w.x - w.x == 0 && w.y - w.y == 0 && w.z - w.z == 0)) std::abort();
  }
  return true;
}

bool try_coefficients(const std::string& text) {
  const auto table = scenario::read_coefficient_table(text, "a.csv");
  if (table && !is_sound<6>(scenario::make_blob(table.value()).value())) std::abort();
  return accepted(table);
}

bool try_propeller(const std::string& text) {
  const auto table = scenario::read_propeller_table(text, "a.csv", {});
  if (table && !is_sound<3>(table.value().blob)) std::abort();
  return accepted(table);
}

// what becomes a platform becomes a file of YAML, too
bool try_urdf(const std::string& text) {
  const auto urdf = scenario::parse_urdf(text, "a.urdf");
  if (!accepted(urdf)) return false;
  const auto platform = scenario::platform_of(urdf.value(), {"f450", {}});
  if (!accepted(platform)) return false;
  const auto airframe =
      scenario::load_airframe_text(scenario::yaml_of(platform.value()), kRoot + "/a.yaml", scenario::Files("", kRoot + "/assets", nullptr), {});
  if (!airframe && airframe.error().message.find("not valid YAML") != std::string::npos) std::abort();
  return accepted(airframe);
}

bool try_task(const std::string& text) {
  scenario::Paths paths;
  paths.assets = kRoot + "/assets";
  paths.max_vehicles = 2000;
  return accepted(
      scenario::load_scenario_text("flocks: [{name: f, airframe: crazyflie, vehicles: {grid: {count: 3}}}]\n"
                                   "regions: [{name: r, cylinder: {centre: [0, 0], radius: 5}}]\ntasks:\n" +
                                       text,
                                   kRoot + "/scenarios/fuzz.yaml", paths));
}

[[maybe_unused]] const char* const kWords[] = {"[",
                              "]",
                              "{",
                              "}",
                              ":",
                              ": ",
                              "- ",
                              ",",
                              "\n",
                              "\n  ",
                              "\"",
                              "'",
                              "nan",
                              "-1",
                              "1e999",
                              "0",
                              "4294967296",
                              "1e-320",
                              "end",
                              "function",
                              "local ",
                              "for i = 1, 1e9 do ",
                              "while true do end",
                              "return ",
                              "me.",
                              "world.",
                              ".memory",
                              "{}",
                              "[[",
                              "]]",
                              "--",
                              "--[[",
                              "=",
                              "==",
                              "..",
                              "#",
                              "(",
                              ")",
                              "string.rep('x', 1e9)",
                              "table.unpack({}, 1, 1e7)",
                              "goto x",
                              "::x::",
                              "<close>",
                              "error({})",
                              "v ",
                              "f ",
                              "vt ",
                              "-9",
                              "/",
                              "\\\n",
                              "within: ",
                              "not: ",
                              "all_of: ",
                              "task: a",
                              "sequence: ",
                              "count: ",
                              "\xff"};

struct Reader {
  const char* name;
  std::vector<std::string> (*seeds)();
  bool (*read)(const std::string&);
  bool is_text;
};
constexpr Reader kReaders[] = {{"mesh", mesh_seeds, try_mesh, false},
                               {"tiff", tiff_seeds, try_tiff, false},
                               {"picture", picture_seeds, try_picture, false},
                               {"lua", lua_seeds, try_lua, true},
                               {"task", task_seeds, try_task, true},
                               {"coefficients", coefficient_seeds, try_coefficients, true},
                               {"propeller", propeller_seeds, try_propeller, true},
                               {"wind", wind_seeds, try_wind, true},
                               {"urdf", urdf_seeds, try_urdf, true}};

}  // namespace

}  // namespace volary::fuzz

#ifdef VOLARY_FUZZ_MAIN
namespace volary::fuzz {

namespace {

int write_seeds(const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t k = 0; k < std::size(kReaders); ++k) {
    int n = 0;
    for (const std::string& seed : kReaders[k].seeds())
      std::ofstream(folder + "/" + kReaders[k].name + std::to_string(n++), std::ios::binary) << static_cast<char>(k) << seed;
  }
  return 0;
}

int fuzz(const Reader& reader, long iterations, Random random) {
  const std::vector<std::string> seeds = reader.seeds();
  for (const std::string& seed : seeds)
    if (!reader.read(seed)) {
      std::fprintf(stderr, "a seed of %s is refused: %s\n", reader.name, refusal.c_str());
      return 1;
    }
  long accepted = 0;
  for (long i = 0; i < iterations; ++i) {
    std::string text = seeds[random.below(seeds.size())];
    for (std::size_t n = 1 + random.below(random.below(8) == 0 ? 30 : 4); n > 0; --n)
      reader.is_text || random.below(4) == 0 ? mutate_text(text, kWords, seeds, random) : mutate_bytes(text, random);
    // kept until the next one, so that a crash leaves its cause behind
    if (const char* file = std::getenv("VOLARY_FUZZ_LAST")) std::ofstream(file, std::ios::binary) << text;
    accepted += reader.read(text) ? 1 : 0;
  }
  std::printf("%s: %ld files from %zu seeds, %ld accepted\n", reader.name, iterations, seeds.size(), accepted);
  return 0;
}

}  // namespace

}  // namespace volary::fuzz

int main(int argc, char** argv) {
  using namespace volary::fuzz;
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "seeds" && argc > 2) return write_seeds(argv[2]);
  for (const Reader& reader : kReaders)
    if (what == reader.name) return fuzz(reader, argc > 2 ? std::atol(argv[2]) : 10'000, {argc > 3 ? static_cast<std::uint64_t>(std::atoll(argv[3])) : 1});
  std::fprintf(stderr, "fuzz_files mesh|tiff|picture|lua|task|coefficients|propeller|wind|urdf [iterations] [seed], or fuzz_files seeds FOLDER\n");
  return 2;
}
#else
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace volary::fuzz;
  if (size > 0) kReaders[data[0] % std::size(kReaders)].read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
#endif
#endif
