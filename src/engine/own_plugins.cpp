// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/own_plugins.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "control/guide.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/publish.hpp"
#include "environment/atmosphere.hpp"

namespace volary::engine {

namespace {

using swarm::SensorPlugin;

// of a tick of one vehicle
class Call {
 public:
  Call(const Data& d, Flock& f, std::size_t slot) : d_(d), f_(f), s_(*f.senses), slot_(slot), tick_(tick_of_world(d, f.worlds[slot]) + 1) {}

  void measure(const SensePlugin& plugin) {
    volary_measuring from{};
    from.id = f_.ids[slot_].number(), from.tick = tick_;
    from.time = static_cast<double>(tick_) * f_.setup.tick, from.interval = f_.setup.tick;
    from.truth = motion("");
    from.wind = plain(column("wind")), from.air_density = s_.at.density < 0 ? environment::kSeaLevelDensity : f_.value(slot_, s_.at.density);
    if (s_.at.gust >= 0)
      from.wind.x += f_.value(slot_, s_.at.gust), from.wind.y += f_.value(slot_, s_.at.gust + 1), from.wind.z += f_.value(slot_, s_.at.gust + 2);
    from.params = plugin.params.data(), from.math = &swarm::plugin_math();
    number_ = static_cast<std::uint32_t>(plugin.own);
    from.uniform = [](const volary_measuring* m, std::uint32_t draw) { return static_cast<const Call*>(m->host)->uniform(draw); };
    from.host = this;
    const OwnPlace& own = s_.own[static_cast<std::size_t>(plugin.own)];
    std::array<double, VOLARY_READING_VALUES> values{};
    std::vector<std::byte> memory = remembered(plugin);
    const auto answer = plugin.library->measure(from, memory, std::span(values).first(static_cast<std::size_t>(own.size)));
    if (answer == SensorPlugin::Answer::Refused) return refuse();
    remember(plugin, memory);
    if (answer == SensorPlugin::Answer::New) write_reading(f_, slot_, own.name, tick_, values.data(), 1);
  }

  void estimate(const SensePlugin& plugin) {
    std::vector<double> row(s_.readings.width());
    read_numbers(f_, slot_, row.data());
    std::vector<volary_reading> readings;
    for (const swarm::Reading& r : s_.readings.all())
      if (!r.name.starts_with(swarm::kEstimatePrefix)) readings.push_back({r.name.c_str(), swarm::numbers_of(r, row.data()), r.count});
    volary_estimating from{};
    from.id = f_.ids[slot_].number(), from.tick = tick_;
    from.time = static_cast<double>(tick_) * f_.setup.tick, from.interval = f_.setup.tick;
    from.carried = motion("estimate.");
    from.readings = readings.data(), from.reading_count = readings.size();
    from.params = plugin.params.data(), from.math = &swarm::plugin_math();
    const int deviation = f_.shown.estimate[3]->row;
    volary_estimate out{from.carried, f_.value(slot_, deviation)};
    std::vector<std::byte> memory = remembered(plugin);
    if (plugin.library->estimate(from, memory, out) != SensorPlugin::Answer::New) return refuse();
    remember(plugin, memory);
    const auto vec = [](const volary_vec& v) { return Vec{v.x, v.y, v.z}; };
    f_.set_vec(slot_, *f_.shown.estimate[0], vec(out.motion.position));
    f_.set_vec(slot_, *f_.shown.estimate[1], vec(out.motion.velocity));
    for (int k = 0; k < 4; ++k) f_.set_value(slot_, f_.shown.estimate[2]->row + k, out.motion.attitude[k]);
    f_.set_vec(slot_, *f_.find_column("estimate.omega"), vec(out.motion.rate));
    f_.set_value(slot_, deviation, out.position_std);
  }

 private:
  static volary_vec plain(const Vec& v) { return {v[0], v[1], v[2]}; }
  Vec column(const std::string& name) const {
    const ColumnInfo* const c = f_.find_column(name);
    return c == nullptr ? Vec{0, 0, 0} : f_.vec(slot_, *c);
  }
  volary_motion motion(const std::string& before) const {
    volary_motion m{plain(column(before + "position")), plain(column(before + "velocity")), {1, 0, 0, 0}, plain(column(before + "omega"))};
    if (const ColumnInfo* const q = f_.find_column(before + "attitude"))
      for (int k = 0; k < 4; ++k) m.attitude[k] = f_.value(slot_, q->row + k);
    return m;
  }
  // 64 numbers of 16 calls for each own sensor
  double uniform(std::uint32_t draw) const {
    const std::uint64_t who = f_.draws[slot_];
    const auto w = math::random_words<std::uint32_t>(key_of_world(d_, f_.worlds[slot_]), static_cast<std::uint32_t>(who), static_cast<std::uint32_t>(who >> 32),
                                                     math::Purpose::OwnSensor, tick_, number_ * 16 + (draw % 64) / 4);
    return static_cast<double>(w.w[draw % 4]) * 0x1p-32;
  }

  std::byte* at(int row) const { return s_.rows.data() + element_offset(slot_, s_.layout.rows, row, f_.bytes); }
  std::vector<std::byte> remembered(const SensePlugin& plugin) const {
    const auto size = static_cast<std::size_t>(f_.bytes);
    std::vector<std::byte> memory(static_cast<std::size_t>(plugin.words) * size);
    for (int k = 0; k < plugin.words; ++k) std::memcpy(memory.data() + static_cast<std::size_t>(k) * size, at(plugin.memory + k), size);
    return memory;
  }
  void remember(const SensePlugin& plugin, const std::vector<std::byte>& memory) const {
    const auto size = static_cast<std::size_t>(f_.bytes);
    for (int k = 0; k < plugin.words; ++k) std::memcpy(at(plugin.memory + k), memory.data() + static_cast<std::size_t>(k) * size, size);
  }
  void refuse() const { write_word(at(s_.refused), f_.bytes, read_word(at(s_.refused), f_.bytes) + 1); }

  const Data& d_;
  Flock& f_;
  Senses& s_;
  std::size_t slot_;
  std::uint64_t tick_;
  std::uint32_t number_ = 0;
};

}  // namespace

void call_plugins(const Data& d, Flock& f, Stretch blocks) {
  const std::size_t last = std::min(blocks.last * kBlock, f.slots);
  for (std::size_t slot = blocks.first * kBlock; slot < last; ++slot) {
    if ((f.status(slot) & control::kAlive) == 0 || !is_own(d, f.index, slot)) continue;
    const std::uint64_t carried = carried_by(f, slot);
    Call call(d, f, slot);
    for (const SensePlugin& plugin : f.senses->plugins) {
      if (plugin.own < 0)
        call.estimate(plugin);
      else if ((carried & own_bit(static_cast<std::size_t>(plugin.own))) != 0)
        call.measure(plugin);
    }
  }
}

}  // namespace volary::engine
