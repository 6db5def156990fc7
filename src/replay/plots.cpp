// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/plots.hpp"

#include <algorithm>
#include <cmath>

#include "core/bytes.hpp"

namespace volary::replay {

namespace {

constexpr std::size_t kMaxName = 64, kMaxNames = 1u << 16;
constexpr std::size_t kSampleBytes = 4 + 4 + 2 + 8;

bool is_before(const PlotSample& a, const PlotSample& b) { return a.vehicle != b.vehicle ? a.vehicle < b.vehicle : a.tick < b.tick; }

PlotSeries& series_of(std::vector<PlotSeries>& series, std::uint32_t flock, const std::string& name) {
  const auto known = std::find_if(series.begin(), series.end(), [&](const PlotSeries& s) { return s.flock == flock && s.name == name; });
  return known != series.end() ? *known : series.emplace_back(PlotSeries{flock, name, {}});
}

}  // namespace

std::optional<double> PlotSeries::at(std::uint32_t vehicle, std::uint64_t tick) const {
  const auto after = std::lower_bound(samples.begin(), samples.end(), PlotSample{vehicle, tick, 0}, is_before);
  if (after == samples.begin() || (after - 1)->vehicle != vehicle) return std::nullopt;
  return (after - 1)->value;
}

void PlotBatch::add(std::uint32_t flock, const std::string& name, const PlotSample& sample) {
  const auto known = std::find_if(names_.begin(), names_.end(), [&](const Name& n) { return n.flock == flock && n.name == name; });
  const auto at = static_cast<std::size_t>(known - names_.begin());
  if (at >= kMaxNames) return;
  if (known == names_.end()) names_.push_back({flock, name});
  samples_.push_back({sample, static_cast<std::uint16_t>(at)});
}

std::vector<std::byte> PlotBatch::payload(std::uint64_t first_tick) const {
  core::ByteWriter w;
  w.reserve(names_.size() * 48 + samples_.size() * kSampleBytes + 16);
  w.put(static_cast<std::uint64_t>(names_.size()));
  for (const Name& n : names_) {
    w.put(n.flock);
    w.put_text(n.name, kMaxName);
  }
  // column by column: what is alike lies together, and compresses
  w.put(static_cast<std::uint64_t>(samples_.size()));
  for (const Entry& e : samples_) w.put(static_cast<std::uint32_t>(e.sample.tick - first_tick));
  for (const Entry& e : samples_) w.put(e.sample.vehicle);
  for (const Entry& e : samples_) w.put(e.name);
  for (const Entry& e : samples_) w.put(e.sample.value);
  return w.take();
}

core::Status read_plots(std::span<const std::byte> payload, std::uint64_t first_tick, std::vector<PlotSeries>& series) {
  const core::Error bad{.message = "a list of plotted numbers cannot be understood"};
  core::ByteReader r(payload);
  struct Name {
    std::uint32_t flock;
    std::string name;
  };
  std::vector<Name> names(r.get_count(8));
  for (Name& n : names) {
    n.flock = r.get<std::uint32_t>();
    n.name = r.get_text(kMaxName);
  }
  std::vector<PlotSample> samples(r.get_count(kSampleBytes));
  std::vector<std::uint16_t> of(samples.size());
  for (PlotSample& s : samples) s.tick = first_tick + r.get<std::uint32_t>();
  for (PlotSample& s : samples) s.vehicle = r.get<std::uint32_t>();
  for (std::uint16_t& name : of) name = r.get<std::uint16_t>();
  for (PlotSample& s : samples) s.value = r.get<double>();
  const bool named = std::all_of(of.begin(), of.end(), [&](std::uint16_t name) { return name < names.size(); });
  const bool finite = std::all_of(samples.begin(), samples.end(), [](const PlotSample& s) { return std::isfinite(s.value); });
  if (!r.good() || r.left() != 0 || !named || !finite) return bad;
  for (std::size_t k = 0; k < samples.size(); ++k) series_of(series, names[of[k]].flock, names[of[k]].name).samples.push_back(samples[k]);
  return core::ok();
}

void sort_plots(std::vector<PlotSeries>& series) {
  for (PlotSeries& s : series) std::stable_sort(s.samples.begin(), s.samples.end(), is_before);
}

}  // namespace volary::replay
