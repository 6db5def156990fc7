// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/codec.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/crc32c.hpp"

namespace volary::cluster {

namespace {

constexpr std::uint32_t kMagic = 0x44464c56u;  // "VLFD"
constexpr std::size_t kHeaderBytes = 4 + 1 + 1 + 8;
constexpr std::size_t kTrailerBytes = 4;

class Writer {
 public:
  static constexpr bool kReads = false;
  explicit Writer(std::vector<std::byte>& out) : out_(out) { out_.clear(); }
  template <class T> void number(const T& x, std::uint64_t = 0, std::uint64_t = 0) {
    const std::size_t at = out_.size();
    out_.resize(at + sizeof(T));
    std::memcpy(out_.data() + at, &x, sizeof(T));
  }
  void blob(const std::vector<std::byte>& x, std::size_t) {
    number(static_cast<std::uint32_t>(x.size()));
    out_.insert(out_.end(), x.begin(), x.end());
  }
  void text(const std::string& x, std::size_t) {
    number(static_cast<std::uint16_t>(x.size()));
    out_.insert(out_.end(), reinterpret_cast<const std::byte*>(x.data()), reinterpret_cast<const std::byte*>(x.data()) + x.size());
  }
  template <class T, class Each> void list(const std::vector<T>& x, std::size_t, Each&& each) {
    number(static_cast<std::uint16_t>(x.size()));
    for (const T& item : x) each(item);
  }
  void demand(bool) {}

 private:
  std::vector<std::byte>& out_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T> void number(T& x, std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    if (rest_.size() < sizeof(T)) return fail(Drop::Truncated);
    std::memcpy(&x, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    std::uint64_t value = 0;
    std::memcpy(&value, &x, sizeof(T));
    demand(value >= least && value <= most);
  }
  void blob(std::vector<std::byte>& x, std::size_t most) {
    std::uint32_t n = 0;
    number(n, 0, most);
    if (!fault_ && n > rest_.size()) fail(Drop::Truncated);
    if (fault_) return x.clear();
    x.assign(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(n));
    rest_ = rest_.subspan(n);
  }
  // words that a terminal can show
  void text(std::string& x, std::size_t most) {
    std::uint16_t n = 0;
    number(n, 0, most);
    if (!fault_ && n > rest_.size()) fail(Drop::Truncated);
    if (fault_) return x.clear();
    x.assign(reinterpret_cast<const char*>(rest_.data()), n);
    rest_ = rest_.subspan(n);
    demand(std::all_of(x.begin(), x.end(), [](char c) { return c > ' ' && c < 127; }));
  }
  template <class T, class Each> void list(std::vector<T>& x, std::size_t most, Each&& each) {
    std::uint16_t n = 0;
    number(n, 0, most);
    // one byte per item is the least: a count that cannot be there allocates nothing
    if (!fault_ && n > rest_.size()) fail(Drop::Truncated);
    x.resize(fault_ ? 0 : n);
    for (T& item : x) each(item);
  }
  void demand(bool holds) {
    if (!holds) fail(Drop::Malformed);
  }
  void fail(Drop reason) {
    if (!fault_) fault_ = reason;
  }
  std::optional<Drop> finish() {
    demand(rest_.empty());
    return fault_;
  }

 private:
  std::span<const std::byte> rest_;
  std::optional<Drop> fault_;
};

// ---------------------------------------------------------------- the fields of every message, once

template <class V, class T> void tick(V& v, T& x) {
  v.number(x, 0, kNever);
  v.demand(x <= kMaxTick || x == kNever);
}
// of any clock, and far enough from the ends of its type that differences are safe
template <class V, class T> void time(V& v, T& x) {
  v.number(x);
  v.demand(x > -(Time{1} << 60) && x < Time{1} << 60);
}
template <class V, class T> void past(V& v, T& x) { v.number(x, 0, kMaxTick); }

template <class V, class M> void fields_of_member(V& v, M& m) {
  v.number(m.id, 0, kMaxMembers - 1);
  v.number(m.incarnation);
  v.number(m.nonce);
  v.number(m.account);
  tick(v, m.from);
  tick(v, m.until);
  tick(v, m.absent_from);
  tick(v, m.frozen_from);
  past(v, m.restored);
}

template <class V, class M> void fields_of_entry(V& v, M& e) {
  v.number(e.sequence, 1, kMaxTick);
  tick(v, e.effective);
  v.number(e.kind, 0, static_cast<std::uint64_t>(EntryKind::Restart));
  v.number(e.member, 0, kMaxMembers - 1);
  v.number(e.absence, 0, static_cast<std::uint64_t>(Absence::Extrapolate));
  v.number(e.incarnation);
  tick(v, e.until);
  v.number(e.nonce);
  v.number(e.account);
  v.blob(e.bytes, kMaxEntryBytes);
  // only a restart acts on no tick
  v.demand((e.effective == kNever) == (e.kind == EntryKind::Restart) && e.effective > 0);
  v.demand(e.kind != EntryKind::Restart || e.until <= kMaxTick);
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Config>
void fields(V& v, M& m) {
  v.number(m.term);
  v.number(m.scenario);
  v.number(m.build);
  v.number(m.horizon, 1, 1024);
  v.number(m.carry, 1, kMaxFrames);
  v.number(m.ring, 4, 65'536);
  v.number(m.live, 0, 1);
  v.demand((m.ring & (m.ring - 1)) == 0 && m.horizon < m.ring);
  past(v, m.committed);
  past(v, m.floor);
  v.number(m.base, 0, kMaxTick);
  v.number(m.base_need, 0, kMaxTick);
  v.demand(m.floor <= m.committed && m.base_need <= m.base);
  v.list(m.members, kMaxMembers, [&](auto& x) { fields_of_member(v, x); });
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Trigger>
void fields(V& v, M& m) {
  v.number(m.term);
  v.number(m.sequence);
  time(v, m.sent);
  past(v, m.origin_tick);
  time(v, m.origin);
  v.number(m.period, 0, 1'000'000'000'000);
  past(v, m.limit);
  past(v, m.aligned);
  past(v, m.committed);
  past(v, m.floor);
  v.number(m.log_end, 0, kMaxTick);
  v.number(m.mode, 0, static_cast<std::uint64_t>(RunMode::Pause));
  v.demand(m.floor <= m.committed && m.committed <= m.limit);
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, LogPart>
void fields(V& v, M& m) {
  v.number(m.term);
  v.list(m.entries, kMaxEntries, [&](auto& x) { fields_of_entry(v, x); });
  for (std::size_t k = 1; k < m.entries.size(); ++k) v.demand(m.entries[k].sequence == m.entries[0].sequence + k);
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Bundle>
void fields(V& v, M& m) {
  v.number(m.term);
  v.number(m.member, 0, kMaxMembers - 1);
  v.number(m.incarnation);
  v.number(m.sequence);
  past(v, m.advanced);
  past(v, m.settled);
  v.number(m.inputs, 0, kMaxTick);
  past(v, m.durable);
  time(v, m.sent);
  time(v, m.echo);
  v.number(m.held, 0, kForever);
  v.number(m.compute_us);
  v.number(m.memory);
  v.number(m.rollbacks);
  past(v, m.first_sum);
  v.list(m.sums, kMaxSums, [&](auto& x) { v.number(x); });
  v.list(m.acks, kMaxMembers, [&](auto& x) {
    v.number(x.member, 0, kMaxMembers - 1);
    past(v, x.tick);
  });
  std::uint64_t end = 0;
  v.list(m.frames, kMaxFrames, [&](auto& x) {
    past(v, x.tick);
    v.number(x.member, 0, kMaxMembers - 1);
    v.number(x.version.inputs, 0, kMaxTick);
    v.number(x.version.corrections);
    v.number(x.size, 0, kMaxMessageBytes);
    // frames lie one behind the other
    if constexpr (V::kReads) x.begin = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, kMaxMessageBytes));
    end += x.size;
  });
  v.blob(m.bytes, kMaxMessageBytes);
  v.demand(end == m.bytes.size());
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Request>
void fields(V& v, M& m) {
  v.number(m.kind, 0, static_cast<std::uint64_t>(RequestKind::Observe));
  v.number(m.member, 0, kMaxMembers - 1);
  v.number(m.incarnation);
  v.number(m.nonce);
  v.number(m.account);
  v.number(m.scenario);
  v.number(m.build);
  v.text(m.host, kMaxHostName);
  past(v, m.durable);
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Refusal>
void fields(V& v, M& m) {
  v.number(m.term);
  v.number(m.nonce);
  v.number(m.reason, 0, static_cast<std::uint64_t>(RefusalReason::NotYet));
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Notice>
void fields(V& v, M& m) {
  v.number(m.term);
  v.number(m.nonce);
  v.number(m.kind, 0, static_cast<std::uint64_t>(NoticeKind::Over));
  past(v, m.tick);
}

template <class V, class M> requires std::is_same_v<std::remove_const_t<M>, Fetch>
void fields(V& v, M& m) {
  v.number(m.member, 0, kMaxMembers - 1);
  v.number(m.nonce);
  past(v, m.tick);
}

template <class M, std::size_t K = 0> constexpr std::uint8_t kind_of() {
  if constexpr (std::is_same_v<M, std::variant_alternative_t<K, Message>>)
    return static_cast<std::uint8_t>(K + 1);
  else
    return kind_of<M, K + 1>();
}

template <class M> void encode_one(const M& message, std::uint64_t federation, std::vector<std::byte>& out) {
  Writer w(out);
  w.number(kMagic);
  w.number(kProtocolVersion);
  w.number(kind_of<M>());
  w.number(federation);
  fields(w, message);
  w.number(core::crc32c(out));
}

template <std::size_t K = 0> std::optional<Drop> decode_kind(std::size_t kind, std::span<const std::byte> body, Message& out) {
  if constexpr (K == std::variant_size_v<Message>) {
    return Drop::Malformed;
  } else {
    if (kind != K) return decode_kind<K + 1>(kind, body, out);
    if (out.index() != K) out.emplace<K>();
    Reader r(body);
    fields(r, std::get<K>(out));
    return r.finish();
  }
}

template <class T> T read_at(std::span<const std::byte> bytes, std::size_t at) {
  T x;
  std::memcpy(&x, bytes.data() + at, sizeof(T));
  return x;
}

}  // namespace

const char* name_of(Drop reason) {
  static constexpr const char* kNames[] = {"oversized", "truncated", "foreign",    "other version", "other federation",
                                           "corrupt",   "malformed", "unexpected", "old term",      "fenced",
                                           "replayed",  "duplicate", "stale",      "beyond",        "unauthorised"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Drop::kCount));
  return kNames[static_cast<std::size_t>(reason)];
}

void encode(const Bundle& bundle, std::uint64_t federation, std::vector<std::byte>& out) { encode_one(bundle, federation, out); }
void encode(const Message& message, std::uint64_t federation, std::vector<std::byte>& out) {
  std::visit([&](const auto& m) { encode_one(m, federation, out); }, message);
}

std::optional<Drop> decode(std::span<const std::byte> bytes, std::uint64_t federation, Message& out) {
  if (bytes.size() > kMaxMessageBytes) return Drop::Oversized;
  if (bytes.size() < kHeaderBytes + kTrailerBytes) return Drop::Truncated;
  if (read_at<std::uint32_t>(bytes, 0) != kMagic) return Drop::Foreign;
  if (read_at<std::uint8_t>(bytes, 4) != kProtocolVersion) return Drop::OtherVersion;
  if (read_at<std::uint64_t>(bytes, 6) != federation) return Drop::OtherFederation;
  const auto sealed = bytes.first(bytes.size() - kTrailerBytes);
  if (read_at<std::uint32_t>(bytes, sealed.size()) != core::crc32c(sealed)) return Drop::Corrupt;
  const auto kind = read_at<std::uint8_t>(bytes, 5);
  return decode_kind(static_cast<std::size_t>(kind) - 1, sealed.subspan(kHeaderBytes), out);
}

}  // namespace volary::cluster
