// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/publish.hpp"

#include "engine/columns.hpp"
#include "engine/data.hpp"

namespace volary::engine {

namespace {

// the vehicles of one block that are in the frame
struct Members {
  std::uint32_t n = 0;
  bool in_row = false;  // all of the block, and their places follow each other
  std::uint32_t lane[kBlock], place[kBlock];

  Members(const std::uint32_t* places, std::size_t first, std::size_t last) {
    if (last - first == kBlock && places[0] != Frame::kNobody) {
      std::uint32_t differs = 0;
      for (std::uint32_t l = 0; l < kBlock; ++l) differs |= places[l] ^ (places[0] + l);
      place[0] = places[0];
      if (in_row = differs == 0; in_row) return;
    }
    for (std::size_t l = first; l < last; ++l)
      if (places[l] != Frame::kNobody) lane[n] = static_cast<std::uint32_t>(l), place[n++] = places[l];
  }
};

// two numbers side by side: nothing is vectorised behind our back here
typedef double Two __attribute__((vector_size(16)));
template <class S> Two two_at(const S* p) {
  typedef S Pair __attribute__((vector_size(2 * sizeof(S))));
  Pair x;
  __builtin_memcpy(&x, p, sizeof x);
  return __builtin_convertvector(x, Two);
}
inline void put_two(double* p, Two x) { __builtin_memcpy(p, &x, sizeof x); }

template <class S> class Publisher {
 public:
  Publisher(const Flock& f, const void* hot, const Members& who) : f_(f), hot_(static_cast<const S*>(hot)), who_(who) {}

  void publish(std::size_t block, unsigned columns, Frame& frame) const {
    const ShownColumns& c = f_.shown;
    if ((columns & shows::kMotion) != 0) {
      vecs(c.position, frame.position);
      vecs(c.velocity, frame.velocity);
    }
    if ((columns & shows::kStatus) != 0) words(0, frame.status);
    if ((columns & shows::kAttitude) != 0) attitudes(frame.attitude);
    if ((columns & shows::kLevel) != 0) words(c.level == nullptr ? -1 : c.level->row, frame.level);
    if ((columns & shows::kWind) != 0) vecs(c.wind, frame.wind);
    if ((columns & shows::kReference) != 0) {
      each(c.reference[0], [&](std::uint32_t at) -> Vec& { return frame.reference[at].position; });
      each(c.reference[1], [&](std::uint32_t at) -> Vec& { return frame.reference[at].velocity; });
      each(c.reference[2], [&](std::uint32_t at) -> Vec& { return frame.reference[at].acceleration; });
    }
    // who has no estimate believes the truth
    if ((columns & shows::kEstimate) != 0) {
      const bool has = c.estimate[0] != nullptr;
      each(has ? c.estimate[0] : c.position, [&](std::uint32_t at) -> Vec& { return frame.estimate[at].position; });
      each(has ? c.estimate[1] : c.velocity, [&](std::uint32_t at) -> Vec& { return frame.estimate[at].velocity; });
      attitudes(has ? c.estimate[2] : c.attitude, [&](std::uint32_t at) -> std::array<double, 4>& { return frame.estimate[at].attitude; });
      for (std::uint32_t k = 0; k < n(); ++k)
        frame.estimate[place(k)].position_std = has ? static_cast<double>(hot_[static_cast<std::uint32_t>(c.estimate[3]->row * kBlock) + lane(k)]) : 0.0;
    }
    if ((columns & shows::kReadings) != 0 && f_.senses != nullptr && f_.senses->is_read) readings(block, frame.readings[f_.index]);
  }

 private:
  using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  // reading by reading, so that a row is loaded once for all vehicles of the block
  void readings(std::size_t block, std::vector<double>& out) const {
    const Senses& s = *f_.senses;
    const std::size_t width = s.readings.width();
    double* const to = out.data() + block * kBlock * width;
    const S* const sensed = reinterpret_cast<const S*>(s.rows.data()) + block * static_cast<std::size_t>(s.layout.rows) * kBlock;
    const Word* const carried = reinterpret_cast<const Word*>(sensed);
    for (std::uint32_t k = 0; k < n(); ++k) to[lane(k) * width] = static_cast<double>(carried[lane(k)]);
    for (std::size_t i = 0; i < s.read.size(); ++i) {
      const ColumnInfo& c = *s.read[i];
      const swarm::Reading& r = s.readings.all()[i];
      const S* const row = (c.record == Record::Senses ? sensed : hot_) + c.row * kBlock;
      for (std::size_t j = 0; j < r.count; ++j)
        for (std::uint32_t k = 0; k < n(); ++k) {
          const std::size_t at = j * kBlock + lane(k);
          double& x = to[lane(k) * width + r.first + j];
          x = c.integer ? static_cast<double>(reinterpret_cast<const Word*>(row)[at]) : static_cast<double>(row[at]);
          if (is_position(c)) x += static_cast<double>(row[3 * kBlock + at]);
        }
    }
  }
  std::uint32_t n() const { return who_.in_row ? kBlock : who_.n; }
  std::uint32_t lane(std::uint32_t k) const { return who_.in_row ? k : who_.lane[k]; }
  std::uint32_t place(std::uint32_t k) const { return who_.in_row ? who_.place[0] + k : who_.place[k]; }

  void vecs(const ColumnInfo* c, std::vector<Vec>& out) const {
    if (!who_.in_row || c == nullptr) return each(c, [&](std::uint32_t at) -> Vec& { return out[at]; });
    const S* const row = hot_ + c->row * kBlock;
    double* to = out[who_.place[0]].data();
    for (int l = 0; l < kBlock; l += 2, to += 6) {
      const auto axis = [&](int r) { return two_at(row + r * kBlock + l) + (c->rows == 6 ? two_at(row + (3 + r) * kBlock + l) : Two{0, 0}); };
      const Two x = axis(0), y = axis(1), z = axis(2);
      put_two(to, __builtin_shufflevector(x, y, 0, 2)), put_two(to + 2, __builtin_shufflevector(z, x, 0, 3)), put_two(to + 4, __builtin_shufflevector(y, z, 1, 3));
    }
  }
  // three numbers; a position has its remainder in three more rows. Zeros where a kind has no such column.
  template <class To> void each(const ColumnInfo* c, To&& to) const {
    const S* const row = c == nullptr ? nullptr : hot_ + c->row * kBlock;
    for (std::uint32_t k = 0; k < n(); ++k) {
      const S* const x = row == nullptr ? nullptr : row + lane(k);
      const auto sum = [x](int r) { return static_cast<double>(x[r * kBlock]) + static_cast<double>(x[(3 + r) * kBlock]); };
      const auto one = [x](int r) { return static_cast<double>(x[r * kBlock]) + 0.0; };
      to(place(k)) = row == nullptr ? Vec{0, 0, 0} : c->rows == 6 ? Vec{sum(0), sum(1), sum(2)} : Vec{one(0), one(1), one(2)};
    }
  }
  void words(int row, std::vector<std::uint32_t>& out) const {
    const Word* const words = reinterpret_cast<const Word*>(hot_) + std::max(row, 0) * kBlock;
    for (std::uint32_t k = 0; k < n(); ++k) out[place(k)] = row < 0 ? 0 : static_cast<std::uint32_t>(words[lane(k)]);
  }
  template <class To> void attitudes(const ColumnInfo* c, To&& to) const {
    const S* const row = c == nullptr ? nullptr : hot_ + c->row * kBlock;
    for (std::uint32_t k = 0; k < n(); ++k) {
      const auto one = [&](int r) { return static_cast<double>(row[lane(k) + static_cast<std::uint32_t>(r * kBlock)]); };
      to(place(k)) = row == nullptr ? std::array<double, 4>{1, 0, 0, 0} : std::array<double, 4>{one(0), one(1), one(2), one(3)};
    }
  }
  void attitudes(std::vector<std::array<double, 4>>& out) const {
    const ColumnInfo* const c = f_.shown.attitude;
    const S* const row = c == nullptr ? nullptr : hot_ + c->row * kBlock;
    if (who_.in_row && row != nullptr) {
      double* to = out[who_.place[0]].data();
      for (int l = 0; l < kBlock; l += 2, to += 8) {
        const Two w = two_at(row + l), x = two_at(row + kBlock + l), y = two_at(row + 2 * kBlock + l), z = two_at(row + 3 * kBlock + l);
        put_two(to, __builtin_shufflevector(w, x, 0, 2)), put_two(to + 2, __builtin_shufflevector(y, z, 0, 2));
        put_two(to + 4, __builtin_shufflevector(w, x, 1, 3)), put_two(to + 6, __builtin_shufflevector(y, z, 1, 3));
      }
      return;
    }
    attitudes(c, [&](std::uint32_t at) -> std::array<double, 4>& { return out[at]; });
  }

  const Flock& f_;
  const S* hot_;
  const Members& who_;
};

void publish_block(const Flock& f, std::size_t block, const Members& who, unsigned columns, Frame& frame) {
  const void* const hot = f.row(block * kBlock, 0);
  if (f.bytes == 4)
    Publisher<float>(f, hot, who).publish(block, columns, frame);
  else
    Publisher<double>(f, hot, who).publish(block, columns, frame);
}

const std::uint32_t* places_of(const Flock& f, std::size_t block, const Frame& frame) { return frame.place_of[f.index].data() + block * kBlock; }

}  // namespace

void publish_rows(const Flock& f, Stretch blocks, unsigned columns, Frame& frame) {
  for (std::size_t b = blocks.first; b < blocks.last; ++b) publish_block(f, b, Members(places_of(f, b, frame), 0, kBlock), columns, frame);
}

void publish_slot(const Flock& f, std::size_t slot, unsigned columns, Frame& frame) {
  const std::size_t block = slot / kBlock, lane = slot % kBlock;
  publish_block(f, block, Members(places_of(f, block, frame), lane, lane + 1), columns, frame);
}

namespace {
// the same of what sensors and estimator keep, and of what is kept of bodies
void read_beside(const Flock& f, const ColumnInfo& c, std::span<const std::uint32_t> slots, double* out) {
  const RecordRows rows = record_of(f, c.record);
  const auto at = [&](std::uint32_t slot, int k) { return rows.first + element_offset(slot, rows.n, c.row + k, f.bytes); };
  for (const std::uint32_t slot : slots)
    for (int k = 0; k < (is_position(c) ? 3 : c.rows); ++k) {
      const double x = c.integer ? static_cast<double>(read_word(at(slot, k), f.bytes)) : read_scalar(at(slot, k), f.bytes);
      *out++ = is_position(c) ? x + read_scalar(at(slot, 3 + k), f.bytes) : x;
    }
}
}  // namespace

void read_numbers(const Flock& f, std::size_t slot, double* row) {
  const Senses& s = *f.senses;
  row[0] = static_cast<double>(carried_by(f, slot));
  const auto at = static_cast<std::uint32_t>(slot);
  for (std::size_t i = 0; i < s.read.size(); ++i) read_rows(f, *s.read[i], {&at, 1}, row + s.readings.all()[i].first);
}

void read_rows(const Flock& f, const ColumnInfo& c, std::span<const std::uint32_t> slots, double* out) {
  if (c.record != Record::Hot) return read_beside(f, c, slots, out);
  for (const std::uint32_t slot : slots) {
    if (c.rows == 6) {
      const Vec v = f.vec(slot, c);
      out = std::copy(v.begin(), v.end(), out);
    } else {
      for (int k = 0; k < c.rows; ++k) *out++ = c.integer ? static_cast<double>(f.word(slot, c.row + k)) : f.value(slot, c.row + k);
    }
  }
}

}  // namespace volary::engine
