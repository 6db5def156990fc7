// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "core/bytes.hpp"
#include "engine/data.hpp"
#include "engine/frame_layout.hpp"

namespace volary::engine {

namespace {

constexpr std::size_t kMostText = 4096;  // bytes of what a behaviour tells

// ---------------------------------------------------------------- what is in a frame beside the rows

struct Due {
  std::uint32_t flock = 0;
  Unsaid unsaid;
};

// of one member; one text reads and writes it
struct Said {
  std::vector<Outgoing> outgoing;
  std::vector<Due> due;
  std::uint32_t overrun = 0;
  Told told;
};

void put(core::ByteWriter& out, const swarm::Message& m) {
  out.put(m.from), out.put(m.to), out.put(m.topic), out.put(static_cast<std::uint8_t>(m.count));
  for (std::uint32_t k = 0; k < m.count; ++k) out.put(static_cast<float>(m.values[k]));  // as on the air
}
swarm::Message get_message(core::ByteReader& in) {
  swarm::Message m;
  m.from = in.get<std::uint64_t>(), m.to = in.get<std::uint64_t>(), m.topic = in.get<std::uint32_t>(), m.count = in.get<std::uint8_t>();
  if (m.count > swarm::Message::kMost) in.fail(), m.count = 0;
  for (std::uint32_t k = 0; k < m.count; ++k) m.values[k] = static_cast<double>(in.get<float>());
  return m;
}

void put(core::ByteWriter& out, const Noted& n) {
  out.put(n.id.value);
  out.put_text(n.behaviour, kMostText);
  out.put(static_cast<std::uint32_t>(n.notes.dropped));
  out.put(static_cast<std::uint32_t>(n.notes.lines.size()));
  for (const std::string& line : n.notes.lines) out.put_text(line, kMostText);
  out.put(static_cast<std::uint32_t>(n.notes.values.size()));
  for (const auto& [name, value] : n.notes.values) out.put_text(name, kMostText), out.put(value);
}
Noted get_noted(core::ByteReader& in) {
  Noted n;
  n.id.value = in.get<std::uint64_t>();
  n.behaviour = in.get_text(kMostText);
  n.notes.dropped = in.get<std::uint32_t>();
  for (auto k = in.get<std::uint32_t>(); in.good() && k > 0; --k) n.notes.lines.push_back(in.get_text(kMostText));
  for (auto k = in.get<std::uint32_t>(); in.good() && k > 0; --k) {
    std::string name = in.get_text(kMostText);
    n.notes.values.push_back({std::move(name), in.get<double>()});
  }
  return n;
}

void put(core::ByteWriter& out, const Said& said) {
  out.put(static_cast<std::uint32_t>(said.outgoing.size()));
  for (const Outgoing& o : said.outgoing) out.put(o.sender), put(out, o.message);
  out.put(static_cast<std::uint32_t>(said.due.size()));
  for (const Due& x : said.due) out.put(x.flock), out.put(x.unsaid.due), out.put(x.unsaid.slot), put(out, x.unsaid.message);
  out.put(said.overrun);
  out.put(static_cast<std::uint32_t>(said.told.noted.size()));
  for (const Noted& n : said.told.noted) put(out, n);
  out.put(static_cast<std::uint32_t>(said.told.faults.size()));
  for (const Fault& f : said.told.faults) out.put(f.id.value), out.put_text(f.what, kMostText);
}
Said get_said(core::ByteReader& in) {
  Said said;
  for (auto k = in.get<std::uint32_t>(); in.good() && k > 0; --k) {
    const auto sender = in.get<std::uint64_t>();
    said.outgoing.push_back({sender, get_message(in)});
  }
  for (auto k = in.get<std::uint32_t>(); in.good() && k > 0; --k) {
    Due x{in.get<std::uint32_t>(), {}};
    x.unsaid.due = in.get<std::uint64_t>(), x.unsaid.slot = in.get<std::uint64_t>(), x.unsaid.message = get_message(in);
    said.due.push_back(x);
  }
  said.overrun = in.get<std::uint32_t>();
  for (auto k = in.get<std::uint32_t>(); in.good() && k > 0; --k) said.told.noted.push_back(get_noted(in));
  for (auto k = in.get<std::uint32_t>(); in.good() && k > 0; --k) {
    const VehicleId id{in.get<std::uint64_t>()};
    said.told.faults.push_back({id, in.get_text(kMostText)});
  }
  return said;
}

// What slow thinkers say now. Everybody's copy is said in `send`, where a vehicle may be gone.
std::vector<Due> due_now(const Data& d) {
  std::vector<Due> due;
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    for (const Unsaid& u : d.societies[k].unsaid)
      if (u.due <= tick_of_world(d, 0) && is_own(d, k, u.slot) && d.frame.place_of[k][u.slot] != Frame::kNobody)
        due.push_back({static_cast<std::uint32_t>(k), u});
  return due;
}

// ---------------------------------------------------------------- reading

// the frame of one member, looked through and not yet taken
struct Incoming {
  struct OfFlock {
    std::vector<std::uint32_t> slots;
    std::vector<std::span<const std::byte>> rows;  // as rows_of() lists them
    std::span<const std::byte> intents;
  };
  std::vector<OfFlock> flocks;
  Said said;
};

template <class S> bool are_finite(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(S)) {
    S x;
    std::memcpy(&x, bytes.data() + at, sizeof x);
    if (!(x - x == 0)) return false;
  }
  return true;
}

// whether a member may speak for these vehicles
bool are_its(const Data& d, std::uint32_t member, Said& said) {
  const auto is_its = [&](VehicleId id) {
    const Location* l = locate(d, id);
    return l != nullptr && d.flocks[l->flock].owners[l->slot] == member;
  };
  for (const Due& x : said.due)
    if (x.flock >= d.flocks.size() || x.unsaid.slot >= d.flocks[x.flock].slots || d.flocks[x.flock].owners[x.unsaid.slot] != member) return false;
  for (Noted& n : said.told.noted) {
    if (!is_its(n.id)) return false;
    const Location* l = locate(d, n.id);
    n.flock = l->flock, n.slot = l->slot;
    if (!d.societies[n.flock].notes.is_on) return false;
  }
  return std::all_of(said.outgoing.begin(), said.outgoing.end(), [&](const Outgoing& o) { return is_its({o.sender}); }) &&
         std::all_of(said.told.faults.begin(), said.told.faults.end(), [&](const Fault& f) { return is_its(f.id); });
}

core::Result<Incoming> look_through(const Data& d, std::uint32_t member, std::span<const std::byte> bytes) {
  const auto refused = [&](std::string why) { return core::Error{.message = fmt::format("the frame of member {}: {}", member, why), .field = "frame"}; };
  core::ByteReader in(bytes);
  if (const auto tick = in.get<std::uint64_t>(); tick != d.tick) return refused(fmt::format("it is of tick {}, not {}", tick, d.tick));
  if (const auto from = in.get<std::uint32_t>(); from != member) return refused(fmt::format("it was made by member {}", from));
  Incoming frame;
  for (const Flock& f : d.flocks) {
    Incoming::OfFlock own{slots_of(d, f.index, member), {}, {}};
    if (const auto n = in.get<std::uint32_t>(); n != own.slots.size())
      return refused(fmt::format("it has {} vehicles of flock '{}' instead of {}", n, f.def.name, own.slots.size()));
    for (const SharedRow& row : rows_of(d, f, d.tick)) {
      const auto part = in.get_bytes(own.slots.size() * static_cast<std::size_t>(f.bytes));
      if (row.is_number && !(f.bytes == 4 ? are_finite<float>(part) : are_finite<double>(part))) return refused("a number is not finite");
      own.rows.push_back(part);
    }
    if (d.societies[f.index].decides()) own.intents = in.get_bytes(own.slots.size() * sizeof(Intent));
    if (!are_finite<float>(own.intents)) return refused("an intent is not finite");
    frame.flocks.push_back(std::move(own));
  }
  frame.said = get_said(in);
  if (!in.good() || in.left() > 0) return refused("it is damaged");
  if (!are_its(d, member, frame.said)) return refused("it speaks for vehicles of another member");
  return frame;
}

// of a member that is gone
bool has_no_vehicles(const Data& d, std::uint32_t member) {
  return std::all_of(d.flocks.begin(), d.flocks.end(), [&](const Flock& f) { return slots_of(d, f.index, member).empty(); });
}

// ---------------------------------------------------------------- taking

void take_rows(Data& d, const Incoming& frame) {
  for (Flock& f : d.flocks) {
    const Incoming::OfFlock& in = frame.flocks[f.index];
    if (in.slots.empty()) continue;
    const std::vector<SharedRow> rows = rows_of(d, f, d.tick);
    for (std::size_t k = 0; k < rows.size(); ++k) f.stepper->copy_in(f, rows[k].row, in.slots, in.rows[k].data());
    for (const std::uint32_t slot : in.slots) f.stepper->publish(f, slot, d.frame.asked, d.frame);
    f.has_diverged = f.has_diverged || std::any_of(in.slots.begin(), in.slots.end(), [&](std::uint32_t slot) {
                       return (d.frame.status[d.frame.place_of[f.index][slot]] & control::kDiverged) != 0 && !d.interaction.is_detached(f.ids[slot]);
                     });
    for (std::size_t k = 0; k < in.intents.size() / sizeof(Intent); ++k) {
      Intent intent;
      std::memcpy(&intent, in.intents.data() + k * sizeof intent, sizeof intent);
      Node& node = d.societies[f.index].nodes[in.slots[k]];
      std::copy_n(intent.numbers, 3, node.intent);
      node.role = intent.numbers[3];
    }
  }
}

void take_said(Data& d, Said said) {
  const auto join = [](auto& from, auto& to) { to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end())); };
  join(said.outgoing, d.air.outgoing);
  for (const Due& x : said.due) d.societies[x.flock].unsaid.push_back(x.unsaid);
  d.air.overrun += said.overrun;
  for (const Fault& f : said.told.faults) {
    const Location* l = locate(d, f.id);
    d.societies[l->flock].nodes[l->slot].stopped = 1;
  }
  join(said.told.noted, d.told.noted);
  join(said.told.faults, d.told.faults);
}

}  // namespace

void write_frame(Data& d, std::vector<std::byte>& bytes) {
  core::ByteWriter out(std::move(bytes));
  out.put(d.tick);
  out.put(d.shared.member);
  std::vector<std::byte> row;
  for (const Flock& f : d.flocks) {
    const std::vector<std::uint32_t> slots = slots_of(d, f.index, d.shared.member);
    out.put(static_cast<std::uint32_t>(slots.size()));
    row.resize(slots.size() * static_cast<std::size_t>(f.bytes));
    for (const SharedRow& r : rows_of(d, f, d.tick)) {
      f.stepper->copy_out(f, r.row, slots, row.data());
      out.put_bytes(row);
    }
    if (!d.societies[f.index].decides()) continue;
    for (const std::uint32_t slot : slots) {
      const Node& node = d.societies[f.index].nodes[slot];
      const Intent intent{{node.intent[0], node.intent[1], node.intent[2], node.role}};
      out.put_bytes(std::as_bytes(std::span(&intent, 1)));
    }
  }
  put(out, Said{d.air.outgoing, due_now(d), std::exchange(d.air.overrun_now, 0), d.told});
  bytes = out.take();
}

core::Status read_frames(Data& d, std::span<const std::span<const std::byte>> frames) {
  if (frames.size() != d.shared.members)
    return core::Error{.message = fmt::format("there are {} frames for {} members", frames.size(), d.shared.members), .field = "frame"};
  std::vector<Incoming> all;
  for (std::uint32_t m = 0; m < d.shared.members; ++m) {
    if (m == d.shared.member || (frames[m].empty() && has_no_vehicles(d, m))) continue;
    auto frame = look_through(d, m, frames[m]);
    if (!frame) return frame.error();
    all.push_back(std::move(frame).value());
  }
  for (Incoming& frame : all) {
    take_rows(d, frame);
    take_said(d, std::move(frame.said));
  }
  // everybody has them in one order
  std::stable_sort(d.air.outgoing.begin(), d.air.outgoing.end(), [](const Outgoing& a, const Outgoing& b) { return a.sender < b.sender; });
  for (Society& s : d.societies) std::stable_sort(s.unsaid.begin(), s.unsaid.end(), [](const Unsaid& a, const Unsaid& b) { return a.slot < b.slot; });
  return core::ok();
}

}  // namespace volary::engine
