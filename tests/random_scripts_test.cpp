// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts that nobody wrote, each flown by a thousand vehicles: arithmetic, tables, texts, messages, memory, and now and then an attempt
// to leave something behind or to take all the memory there is. Whatever they do, threads, snapshots and recordings do not change it.
#include <algorithm>

#include "record_support_test.hpp"

namespace volary::replay {

namespace {

class RandomScript {
 public:
  explicit RandomScript(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 12345) {}

  std::string make() {
    std::string out =
        "params = { gain = " + number() + " }\nlocal flip, whole, words, list = 0.0, 1, {'ab', 'c', 'def'}, {3, 1, 2, deep = {x = 0.5}}\n"
        "local function safe(x) if x ~= x or x - x ~= 0 then return 0.25 end return math.max(-2, math.min(2, x)) end\n"
        "local function pick(a, b, ...) if select('#', ...) > 1 then return b - a end return a < b and a or b * 0.5 end\n"
        "function trigger(me) return 1 + (me.memory.n or 0) % 2 end\n"
        "function act(me)\n  local m, a, b, k, s, t = me.memory, me.position.x, me.velocity.y, me.id % 1000, '', {}\n  m.n = (m.n or 0) + 1\n"
        "  a = a + (1 / flip > 0 and 0.5 or -0.5) + (math.type(whole) == 'integer' and 0.25 or 0)\n";
    for (std::uint64_t n = 6 + draw(10); n > 0; --n) out += "  " + statement(2) + "\n";
    if (draw(2) == 0) out += "  " + leak() + "\n";
    if (draw(6) == 0) out += "  " + hunger() + "\n";
    return out + "  m.s, m.a = s:sub(1, 20), a\n  fly(safe(a), safe(b), safe(k % 5 - 2 + #s * 0.01))\n  reward(safe(a + b))\nend\n";
  }

 private:
  std::uint64_t draw(std::uint64_t n) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return (state_ >> 11) % n;
  }
  std::string one(std::initializer_list<const char*> words) { return words.begin()[draw(words.size())]; }
  std::string number() { return one({"0", "1", "-1", "0.0", "-0.0", "0.5", "3", "7.25", "1e-3", "1e15", "0x10", "2.0"}); }
  std::string key() {
    return one({"'x'", "'y' .. k % 3", "k % 7", "k % 5 + 0.5", "'a rather long key that Lua does not share ' .. k % 2", "true", "1", "2", "5"});
  }

  std::string value(int depth) {
    if (depth == 0)
      return one({"a", "b", "k", "me.time", "me.velocity.x", "me.params.gain", "random()", "#t", "#s", "whole",
                  "list[2]", "list.deep.x", "1 / flip", "0 / 0"});
    const auto v = [&] { return value(depth - 1); };
    switch (draw(10)) {
      case 0: return number();
      case 1: return "(" + v() + one({" + ", " - ", " * ", " / ", " // ", " % "}) + v() + ")";
      case 2: return one({"math.sin", "math.cos", "math.sqrt", "math.exp", "math.abs", "math.atan", "safe"}) + "(" + v() + ")";
      case 3: return "pick(" + v() + ", " + v() + one({")", ", 1)", ", 1, 2)"});
      case 4: return "(" + v() + one({" < ", " == ", " >= ", " ~= "}) + v() + " and " + v() + " or " + v() + ")";
      case 5: return "((k " + one({"& 255", "| 3", "~ 9", "<< 2", ">> 1"}) + ") % 1000)";
      case 6: return "(tonumber(m.v) or " + v() + ")";
      case 7: return "-(" + v() + ")";
      case 8: return "vec(" + v() + ", " + v() + ", 1):dot(me.position)";
      default: return v();
    }
  }
  std::string text() {
    return one({"k", "a", "'lit'", "words[k % 3 + 1]", "m.n", "0 / 0", "-b", "#t", "tostring(t)", "string.format('%.6g|%d', a, k)", "string.format('%5.1f', b)",
                "words[1]:upper():rep(k % 3)", "tostring(me.position)", "math.type(whole)", "table.concat(words, ',')"});
  }

  std::string statement(int depth) {
    switch (draw(depth > 0 ? 15 : 10)) {
      case 0: return "a = " + value(3);
      case 1: return "b = " + value(2) + " k = (k * 31 + " + std::to_string(draw(100)) + ") % 1009";
      case 2: return "s = s .. " + text() + " .. " + text();
      case 3: return "t[" + key() + "] = " + one({"nil", "a", "k", "s", "{k}", "me.position"});
      case 4: return "t[#t + 1] = " + value(1) + " a = a + #t";
      case 5: return "m.v = " + one({"a", "-0.0", "0.0", "1", "1.0", "k", "0 / 0", "s:sub(1, 5)", "nil", "me.velocity"});
      case 6: return "m.l = m.l or {} m.l[" + one({"#m.l + 1", "k % 9", "m.n", "1"}) + "] = " + one({"a", "k", "nil", "{k, s:sub(1, 3)}"}) + " b = b + #m.l";
      case 7: return "if (k + m.n) % " + std::to_string(2 + draw(9)) + " == 0 then say('" + one({"x", "y"}) + "', {safe(a), k, #s}) end";
      case 8: return "for i, e in ipairs(heard('x')) do a = a + e.values[1] * 0.1 k = (k + e.from) % 997 end";
      case 9: return "for o, offset, d in neighbours(" + one({"5", "8", "1e9"}) + ") do b = b + d * 0.01 a = a - offset.y * 0.01 k = k + (o.id & 3) end";
      case 10: return "for i = 1, " + std::to_string(2 + draw(12)) + " do " + statement(depth - 1) + " end";
      case 11: return "if " + value(1) + " > " + value(1) + " then " + statement(depth - 1) + " else " + statement(depth - 1) + " end";
      case 12: return "for i = 1, 12 do t['k' .. (k * i) % 11] = i % 3 > 0 and i or nil t[(k + i) % 9] = i end a = a + #t * 0.125";
      case 13: return "for key, v in pairs(t) do s = s .. tostring(key):sub(1, 4) k = k + 1 if k % 4 == 0 then t[key] = nil end end";
      default:
        return "local r = {} for i = 1, 6 do r[i] = (k * i) % 7 end table.sort(r, function(x, y) return x " + one({"<", ">", "<="}) +
               " y end) a = a + r[2] s = s .. table.concat(r)";
    }
  }

  // what a few vehicles try once: a variable of the file that == takes for unchanged
  std::string leak() {
    const std::string when = "if k % " + std::to_string(40 + draw(60)) + " == 1 and m.n == " + std::to_string(1 + draw(2)) + " then ";
    return when + one({"flip = -flip", "whole = whole + 0.0", "flip = 0", "whole = 1.0 flip = -0.0"}) + " end";
  }
  // as much as there is, more or less: some are stopped and some are not
  std::string hunger() {
    return "if k % 250 == " + std::to_string(draw(250)) +
           " and m.n == 2 then local big, h = ('x'):rep(3000), {} for i = 1, 22000 + k % 400 do h[i % 50] = big .. i h['k' .. i] = nil end a = #h end";
  }

  std::uint64_t state_;
};

std::uint64_t ticks() { return is_long() ? 16 : 12; }

struct Flight {
  std::vector<std::uint64_t> hashes;
  std::vector<std::string> events;
  bool operator==(const Flight&) const = default;
};

void fly_on(World& w, std::uint64_t n, Flight& f) {
  for (std::uint64_t k = 0; k < n; ++k) {
    w.step(1);
    f.hashes.push_back(w.hash());
    for (const Event& e : w.take_events()) f.events.push_back(e.name + ": " + e.what);
  }
}

enum class Break { None, Branch, Bytes };

// in the middle of the flight another world goes on, with a snapshot or its bytes
Flight fly(const WorldDef& def, int threads, Break how = Break::None) {
  RunOptions options;
  options.threads = threads;
  options.force_split = true;
  std::string error;
  auto world = World::create(def, options, &error);
  EXPECT_NE(world, nullptr) << error;
  Flight f;
  if (world == nullptr) return f;
  fly_on(*world, ticks() / 2, f);
  if (how == Break::Branch) world = world->branch(options);
  if (how == Break::Bytes) {
    const auto bytes = World::snapshot_bytes(*world->snapshot());
    world = World::create(def, options, &error);
    world->step(5);  // somewhere else before it goes on from there
    (void)world->take_events();
    const auto snapshot = world->read_snapshot(bytes, &error);
    EXPECT_NE(snapshot, nullptr) << error;
    if (snapshot != nullptr) world->restore(*snapshot);
  }
  fly_on(*world, ticks() - ticks() / 2, f);
  return f;
}

std::string scenario_of(const core::ScratchFolder& folder, const std::string& script) {
  folder.write("random.lua", script);
  return folder.write("random.yaml",
                      "name: random\nduration: 10\nseed: 5\nradio: {model: disc, range: 5}\nflocks:\n  - name: flock\n    airframe: crazyflie\n"
                      "    vehicles: {grid: {count: 1000, spacing: 4, origin: [0, 0, 10]}}\n    start: hold\n    mission: {hold: {height: 0}}\n"
                      "    node: {state_rate: 20, decision_rate: 25}\n    behaviours:\n      - script: {file: random.lua}\n");
}

void expect_replayed(const core::ScratchFolder& folder, Flown& f, const Flight& flown) {
  const auto hashes = record(f, folder.file("a.vrec"), ticks());
  EXPECT_TRUE(std::equal(flown.hashes.begin(), flown.hashes.end(), hashes.begin() + 1, hashes.end())) << "recorded";
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v) << v.error().text();
  EXPECT_TRUE(v.value().exact());
}

void expect_one_future(std::uint64_t seed) {
  const std::string script = RandomScript(seed).make();
  SCOPED_TRACE("script " + std::to_string(seed) + ":\n" + script);
  core::ScratchFolder folder;
  Flown f = load_flown(scenario_of(folder, script));
  const Flight one = fly(f.def, 1);
  EXPECT_NE(one.hashes.front(), one.hashes.back());
  EXPECT_EQ(fly(f.def, 2, Break::Bytes), one) << "two threads, and the bytes of a snapshot";
  EXPECT_EQ(fly(f.def, 7, Break::Branch), one) << "seven threads, and a branch";
  if (is_long()) {
    EXPECT_EQ(fly(f.def, 2), one) << "two threads";
    EXPECT_EQ(fly(f.def, 7), one) << "seven threads";
  }
  if (seed % 10 == 0) expect_replayed(folder, f, one);
}

}  // namespace

// a dozen, and two hundred in the long tests: eight tests of as many each
class RandomScripts : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(OfAThousandVehicles, RandomScripts, testing::Range<std::uint64_t>(0, 8));

TEST_P(RandomScripts, HaveOneFutureOnAnyThreadsAfterASnapshotAndFromARecording) {
  const std::uint64_t n = is_long() ? 25 : GetParam() < 4 ? 2 : 1;
  for (std::uint64_t k = 0; k < n; ++k) expect_one_future(GetParam() * 25 + k);
}

}  // namespace volary::replay
