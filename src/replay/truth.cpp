// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/truth.hpp"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/payloads.hpp"

namespace volary::replay {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxText = 65'535;

std::string dump(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::vector<std::byte> to_bytes(const std::string& text) {
  const auto raw = std::as_bytes(std::span(text.data(), text.size()));
  return {raw.begin(), raw.end()};
}

bool is_utf8(const std::string& text) {
  try {
    [[maybe_unused]] const std::string s = Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

// bytes that no JSON text can hold
std::string to_hex(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto b = static_cast<unsigned char>(c);
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}
std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t k = 0; k + 2 <= hex.size(); k += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + k, hex.data() + k + 2, value, 16);
    out += static_cast<char>(value);
  }
  return out;
}

Json bundle_to_json(const scenario::Bundle& b) {
  Json files = Json::array();
  for (const auto& [name, text] : b.files) {
    Json file = {{"name", name}};
    if (is_utf8(text))
      file["text"] = text;
    else
      file["hex"] = to_hex(text);
    files.push_back(std::move(file));
  }
  return {{"main", b.main}, {"overrides", b.overrides}, {"files", std::move(files)}};
}

scenario::Bundle bundle_from_json(const Json& j) {
  scenario::Bundle b;
  b.main = j.at("main").get<std::string>();
  b.overrides = j.at("overrides").get<std::vector<std::string>>();
  for (const Json& file : j.at("files"))
    b.files[file.at("name").get<std::string>()] = file.contains("text") ? file.at("text").get<std::string>() : from_hex(file.at("hex").get<std::string>());
  return b;
}

core::Error bad(const char* what) { return core::Error{.message = std::string(what) + " cannot be understood"}; }

// JSON of a file that damage or an enemy may have written
template <class F> core::Status read_json(std::span<const std::byte> payload, const char* what, F&& f) {
  const auto* text = reinterpret_cast<const char*>(payload.data());
  try {
    f(Json::parse(text, text + payload.size()));
  } catch (const Json::exception&) {
    return bad(what);
  }
  return core::ok();
}

}  // namespace

std::string head_to_json(const Head& h) {
  Json flocks = Json::array();
  for (const FlockHead& f : h.flocks) flocks.push_back({{"name", f.name}, {"airframe", f.airframe}, {"model", f.model}});
  Json j = {{"format", "volary recording"},
            {"version", h.format},
            {"program", h.program},
            {"scenario", h.scenario},
            {"description", h.description},
            {"seed", std::to_string(h.seed)},
            {"tick_ns", h.tick_ns},
            {"precision", h.precision},
            {"start_tick", h.start_tick},
            {"continues", h.continues},
            {"duration_s", h.duration},
            {"worlds", h.worlds},
            {"vehicles", h.vehicles},
            {"started", h.started},
            {"view", h.view},
            {"bounds", {{"position_m", h.bounds.position}, {"velocity_m_s", h.bounds.velocity}, {"angle_rad", h.bounds.angle}}},
            {"flocks", std::move(flocks)},
            {"bundle", bundle_to_json(h.bundle)}};
  if (!h.extra.empty()) {
    Json extra = Json::parse(h.extra, nullptr, false);
    if (!extra.is_discarded()) j["extra"] = std::move(extra);
  }
  return dump(j);
}

core::Result<Head> head_from_json(std::span<const std::byte> json) {
  Head h;
  const core::Status read = read_json(json, "the head", [&](const Json& j) {
    h.format = j.value("version", 1);
    h.program = j.at("program").get<std::string>();
    h.scenario = j.at("scenario").get<std::string>();
    h.description = j.value("description", std::string());
    const std::string seed = j.at("seed").get<std::string>();
    std::from_chars(seed.data(), seed.data() + seed.size(), h.seed);
    h.tick_ns = j.at("tick_ns").get<std::int64_t>();
    h.precision = j.value("precision", std::string("float"));
    h.start_tick = j.at("start_tick").get<std::uint64_t>();
    h.continues = j.value("continues", h.start_tick > 0);
    h.duration = j.at("duration_s").get<double>();
    h.worlds = j.value("worlds", 1);
    h.vehicles = j.value("vehicles", std::uint64_t{0});
    h.started = j.value("started", std::int64_t{0});
    h.view = j.value("view", false);
    const Json& b = j.at("bounds");
    h.bounds = {b.at("position_m").get<double>(), b.at("velocity_m_s").get<double>(), b.at("angle_rad").get<double>()};
    for (const Json& f : j.at("flocks"))
      h.flocks.push_back({f.at("name").get<std::string>(), f.at("airframe").get<std::string>(), f.at("model").get<std::string>()});
    h.bundle = bundle_from_json(j.at("bundle"));
    if (j.contains("extra")) h.extra = dump(j["extra"]);
  });
  if (!read) return read.error();
  if (h.format < 1 || h.format > kFormat)
    return core::Error{.message = "is of format " + std::to_string(h.format) + ", and this program knows 1 to " + std::to_string(kFormat),
                       .suggestion = "it was written by version " + h.program};
  if (h.tick_ns <= 0 || h.tick_ns > 1'000'000'000'000) return bad("the tick of the head");
  return h;
}

// ---------------------------------------------------------------- lists

std::vector<std::byte> RecordList::payload(std::uint64_t first) const {
  core::ByteWriter w;
  w.reserve(16 + bytes.size());
  w.put(first);
  w.put(n);
  w.put_bytes(bytes.bytes());
  return w.take();
}

void add_input(RecordList& list, std::uint64_t given, const Input& in) {
  list.bytes.put(given);
  engine::write_input(list.bytes, in);
  ++list.n;
}

void add_spawn(RecordList& list, std::uint32_t index, const RosterEntry& e) {
  list.bytes.put(static_cast<std::uint8_t>(RosterChange::Kind::Spawn));
  list.bytes.put(index);
  list.bytes.put(e.spawn_tick);
  list.bytes.put(e.id);
  list.bytes.put(e.flock);
  list.bytes.put(e.world);
  list.bytes.put_text(e.name, kMaxText);
  ++list.n;
}

void add_removal(RecordList& list, std::uint32_t index, std::uint64_t tick) {
  list.bytes.put(static_cast<std::uint8_t>(RosterChange::Kind::Removal));
  list.bytes.put(index);
  list.bytes.put(tick);
  ++list.n;
}

void add_modes(RecordList& list, const ModeRange& range, std::uint64_t tick) {
  list.bytes.put(static_cast<std::uint8_t>(RosterChange::Kind::Modes));
  list.bytes.put(range.index);
  list.bytes.put(tick);
  list.bytes.put(range.count);
  list.bytes.put(range.mode);
  ++list.n;
}

core::Status read_inputs(std::span<const std::byte> payload, int format, Recovered<RecordedInput>& out) {
  core::ByteReader r(payload);
  const auto first = r.get<std::uint64_t>();
  const std::size_t n = r.get_count(8 + engine::kLeastInputBytes);
  for (std::size_t k = 0; k < n; ++k) {
    RecordedInput in;
    in.given = r.get<std::uint64_t>();
    // whether the world has what it names is known only when it is made
    if (!engine::read_input(r, in.input, format > 1)) return bad("an input");
    out.list.push_back(std::move(in));
    out.numbers.push_back(first + k);
  }
  return r.good() && r.left() == 0 ? core::ok() : core::Status(bad("a list of inputs"));
}

core::Status read_roster(std::span<const std::byte> payload, Recovered<RosterChange>& out) {
  core::ByteReader r(payload);
  const auto first = r.get<std::uint64_t>();
  const std::size_t n = r.get_count(13);
  for (std::size_t k = 0; k < n && r.good(); ++k) {
    RosterChange c;
    c.kind = static_cast<RosterChange::Kind>(r.get<std::uint8_t>());
    c.index = r.get<std::uint32_t>();
    c.tick = r.get<std::uint64_t>();
    if (c.kind == RosterChange::Kind::Spawn) {
      c.entry.spawn_tick = c.tick;
      c.entry.id = r.get<std::uint64_t>();
      c.entry.flock = r.get<std::uint32_t>();
      c.entry.world = r.get<std::uint32_t>();
      c.entry.name = r.get_text(kMaxText);
    } else if (c.kind == RosterChange::Kind::Modes) {
      c.modes.index = c.index;
      c.modes.count = r.get<std::uint32_t>();
      c.modes.mode = r.get<std::uint8_t>();
      if (c.modes.mode > kUnknownMode) r.fail();
    } else if (c.kind != RosterChange::Kind::Removal) {
      r.fail();
    }
    out.list.push_back(std::move(c));
    out.numbers.push_back(first + k);
  }
  return r.good() && r.left() == 0 ? core::ok() : core::Status(bad("a list of vehicles"));
}

std::vector<std::byte> events_payload(std::uint64_t first, std::span<const Event> events) {
  Json list = Json::array();
  for (const Event& e : events) {
    list.push_back({{"tick", e.tick}, {"vehicle", std::to_string(e.vehicle.value)}, {"name", e.name}, {"what", e.what}});
    if (e.world != kEveryWorld) list.back()["world"] = e.world;
  }
  return to_bytes(dump({{"first", first}, {"events", std::move(list)}}));
}

core::Status read_events(std::span<const std::byte> payload, Recovered<Event>& out) {
  return read_json(payload, "a list of events", [&](const Json& j) {
    std::uint64_t number = j.at("first").get<std::uint64_t>();
    for (const Json& e : j.at("events")) {
      Event event;
      event.tick = e.at("tick").get<std::uint64_t>();
      const std::string id = e.at("vehicle").get<std::string>();
      std::from_chars(id.data(), id.data() + id.size(), event.vehicle.value);
      event.name = e.at("name").get<std::string>();
      event.what = e.at("what").get<std::string>();
      event.world = e.value("world", kEveryWorld);
      out.list.push_back(std::move(event));
      out.numbers.push_back(number++);
    }
  });
}

std::vector<std::byte> metrics_payload(std::uint64_t first, std::span<const Metric> metrics) {
  Json list = Json::array();
  for (const Metric& m : metrics) list.push_back({{"tick", m.tick}, {"name", m.name}, {"value", m.value}, {"unit", m.unit}});
  return to_bytes(dump({{"first", first}, {"metrics", std::move(list)}}));
}

core::Status read_metrics(std::span<const std::byte> payload, Recovered<Metric>& out) {
  return read_json(payload, "a list of metrics", [&](const Json& j) {
    std::uint64_t number = j.at("first").get<std::uint64_t>();
    for (const Json& m : j.at("metrics")) {
      const Json& value = m.at("value");  // null: a number that JSON has no word for
      out.list.push_back({m.at("tick").get<std::uint64_t>(), m.at("name").get<std::string>(),
                          value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN(), m.at("unit").get<std::string>()});
      out.numbers.push_back(number++);
    }
  });
}

std::vector<std::byte> hashes_payload(const Counts& counts, std::span<const std::uint64_t> hashes) {
  core::ByteWriter w;
  w.reserve(32 + hashes.size_bytes());
  w.put(counts.inputs);
  w.put(counts.roster);
  w.put(counts.events);
  w.put(counts.metrics);
  w.put_bytes(std::as_bytes(hashes));
  return w.take();
}

std::string end_to_json(const EndNote& end, const char* why) {
  Json j = {{"last_tick", end.last_tick}, {"why", why}, {"inputs", end.counts.inputs}, {"roster", end.counts.roster}, {"events", end.counts.events},
            {"metrics", end.counts.metrics}};
  if (!end.verdict.empty()) j["verdict"] = end.verdict, j["reason"] = end.reason;
  return dump(j);
}

core::Result<EndNote> read_end(std::span<const std::byte> payload) {
  EndNote end;
  const std::size_t offset = std::min<std::size_t>(payload.size(), 8);  // of the last index
  const core::Status read = read_json(payload.subspan(offset), "an end", [&](const Json& j) {
    end.last_tick = j.at("last_tick").get<std::uint64_t>();
    end.counts = {j.at("inputs").get<std::uint64_t>(), j.at("roster").get<std::uint64_t>(), j.at("events").get<std::uint64_t>(),
                  j.at("metrics").get<std::uint64_t>()};
    end.verdict = j.value("verdict", std::string());
    end.reason = j.value("reason", std::string());
  });
  if (!read) return read.error();
  return end;
}

core::Status read_hashes(std::span<const std::byte> payload, std::uint64_t n_ticks, Counts& counts, std::vector<std::uint64_t>& hashes) {
  core::ByteReader r(payload);
  counts.inputs = r.get<std::uint64_t>();
  counts.roster = r.get<std::uint64_t>();
  counts.events = r.get<std::uint64_t>();
  counts.metrics = r.get<std::uint64_t>();
  if (!r.good() || r.left() % 8 != 0 || r.left() / 8 != n_ticks) return bad("a list of hashes");
  hashes.resize(r.left() / 8);
  const auto raw = r.get_bytes(r.left());
  std::memcpy(hashes.data(), raw.data(), raw.size());
  return core::ok();
}

}  // namespace volary::replay
