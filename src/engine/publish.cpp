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
  std::uint32_t lane[kBlock], place[kBlock];

  Members(const std::uint32_t* places, std::size_t first, std::size_t last) {
    for (std::size_t l = first; l < last; ++l)
      if (places[l] != Frame::kNobody) lane[n] = static_cast<std::uint32_t>(l), place[n++] = places[l];
  }
};

template <class S> class Publisher {
 public:
  Publisher(const Flock& f, const void* hot, const Members& who) : f_(f), hot_(static_cast<const S*>(hot)), who_(who) {}

  void publish(unsigned columns, Frame& frame) const {
    const ShownColumns& c = f_.shown;
    if ((columns & shows::kMotion) != 0) {
      vecs(c.position, [&](std::uint32_t at) -> Vec& { return frame.position[at]; });
      vecs(c.velocity, [&](std::uint32_t at) -> Vec& { return frame.velocity[at]; });
    }
    if ((columns & shows::kStatus) != 0) words(0, frame.status);
    if ((columns & shows::kAttitude) != 0) attitudes(frame.attitude);
    if ((columns & shows::kLevel) != 0) words(c.level == nullptr ? -1 : c.level->row, frame.level);
    if ((columns & shows::kWind) != 0) vecs(c.wind, [&](std::uint32_t at) -> Vec& { return frame.wind[at]; });
    if ((columns & shows::kReference) != 0) {
      vecs(c.reference[0], [&](std::uint32_t at) -> Vec& { return frame.reference[at].position; });
      vecs(c.reference[1], [&](std::uint32_t at) -> Vec& { return frame.reference[at].velocity; });
      vecs(c.reference[2], [&](std::uint32_t at) -> Vec& { return frame.reference[at].acceleration; });
    }
  }

 private:
  // three numbers; a position has its remainder in three more rows. Zeros where a kind has no such column.
  template <class To> void vecs(const ColumnInfo* c, To&& to) const {
    const S* const row = c == nullptr ? nullptr : hot_ + c->row * kBlock;
    for (std::uint32_t k = 0; k < who_.n; ++k) {
      const S* const x = row + who_.lane[k];
      const auto sum = [x](int r) { return static_cast<double>(x[r * kBlock]) + static_cast<double>(x[(3 + r) * kBlock]); };
      const auto one = [x](int r) { return static_cast<double>(x[r * kBlock]) + 0.0; };
      to(who_.place[k]) = row == nullptr ? Vec{0, 0, 0} : c->rows == 6 ? Vec{sum(0), sum(1), sum(2)} : Vec{one(0), one(1), one(2)};
    }
  }
  void words(int row, std::vector<std::uint32_t>& out) const {
    using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
    const Word* const words = reinterpret_cast<const Word*>(hot_) + row * kBlock;
    for (std::uint32_t k = 0; k < who_.n; ++k) out[who_.place[k]] = row < 0 ? 0 : static_cast<std::uint32_t>(words[who_.lane[k]]);
  }
  void attitudes(std::vector<std::array<double, 4>>& out) const {
    const ColumnInfo* const c = f_.shown.attitude;
    const S* const row = c == nullptr ? nullptr : hot_ + c->row * kBlock;
    for (std::uint32_t k = 0; k < who_.n; ++k) {
      const S* const q = row + who_.lane[k];
      const auto one = [q](int r) { return static_cast<double>(q[r * kBlock]); };
      out[who_.place[k]] = row == nullptr ? std::array<double, 4>{1, 0, 0, 0} : std::array<double, 4>{one(0), one(1), one(2), one(3)};
    }
  }

  const Flock& f_;
  const S* hot_;
  const Members& who_;
};

void publish_block(const Flock& f, std::size_t block, const Members& who, unsigned columns, Frame& frame) {
  const void* const hot = f.row(block * kBlock, 0);
  if (f.bytes == 4)
    Publisher<float>(f, hot, who).publish(columns, frame);
  else
    Publisher<double>(f, hot, who).publish(columns, frame);
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

void read_rows(const Flock& f, const ColumnInfo& c, std::span<const std::uint32_t> slots, double* out) {
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
