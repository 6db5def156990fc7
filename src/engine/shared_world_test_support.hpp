// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world that several members share, all of them in one process, beside the same world in one piece.
#pragma once

#include "engine/engine_test_support.hpp"
#include "math/hash.hpp"

namespace volary::test {

// every flock cut into as many stretches as there are members, at places that a seed chooses
inline Sharing cut_at_random(const WorldDef& def, std::uint32_t members, std::uint64_t seed) {
  Sharing sharing{.members = members};
  std::uint64_t state = math::mix64(seed);
  for (const FlockDef& f : def.flocks) {
    std::vector<std::uint64_t> places = {1};
    for (std::uint32_t k = 1; k < members; ++k) places.push_back(1 + math::mix64(++state) % (f.vehicles.size() + 1));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (std::size_t k = 0; k < places.size(); ++k)
      sharing.parts.push_back({f.name, places[k], static_cast<std::uint32_t>((math::mix64(state) + k) % members)});
  }
  // vehicles that can dock with each other, or carry a load together, belong to one member
  for (const FlockDef& f : def.flocks) {
    std::vector<std::string> partners = f.load ? f.load->with : std::vector<std::string>();
    if (!f.docking.with.empty()) partners = {f.docking.with};
    for (const std::string& name : partners) {
      std::erase_if(sharing.parts, [&](const Sharing::Part& p) { return p.flock == name; });
      for (std::size_t k = 0, n = sharing.parts.size(); k < n; ++k)
        if (sharing.parts[k].flock == f.name) sharing.parts.push_back({name, sharing.parts[k].first_place, sharing.parts[k].member});
    }
  }
  return sharing;
}

class SharedWorld {
 public:
  // the last one owns nothing and only looks
  SharedWorld(const WorldDef& def, Sharing sharing, const RunOptions& options = {}) : members_(sharing.members), frames_(sharing.members + 1) {
    for (std::uint32_t m = 0; m <= members_; ++m) {
      worlds_.push_back(make(def, options));
      sharing.member = m == members_ ? Sharing::kNobody : m;
      std::string error;
      EXPECT_TRUE(worlds_.back()->share(sharing, &error)) << error;
    }
  }
  void advance() {
    for (std::size_t m = 0; m < worlds_.size(); ++m) worlds_[m]->advance(frames_[m]);
  }
  std::vector<std::span<const std::byte>> frames() const {
    std::vector<std::span<const std::byte>> list(frames_.begin(), frames_.end() - 1);
    return list;
  }
  void settle() {
    std::string error;
    for (auto& w : worlds_) EXPECT_TRUE(w->settle(frames(), &error)) << error;
  }
  void step() { advance(), settle(); }
  // that all of them find
  std::uint64_t hash() const {
    std::uint64_t sum = 0;
    for (const auto& w : worlds_) sum += w->own_hash();
    const std::uint64_t found = worlds_.front()->hash_with(sum);
    for (const auto& w : worlds_) EXPECT_EQ(w->hash_with(sum), found);
    return found;
  }
  void submit(const Input& in) {
    for (auto& w : worlds_) w->submit(in);
  }
  World& at(std::size_t m) { return *worlds_[m]; }
  World& observer() { return *worlds_.back(); }
  std::size_t size() const { return worlds_.size(); }
  std::vector<std::byte>& frame(std::size_t m) { return frames_[m]; }

 private:
  std::uint32_t members_;
  std::vector<std::vector<std::byte>> frames_;
  std::vector<std::unique_ptr<World>> worlds_;
};

inline std::vector<std::string> event_texts(World& w) {
  std::vector<std::string> list;
  for (const Event& e : w.take_events()) list.push_back(std::to_string(e.tick) + " " + std::to_string(e.vehicle.value) + " " + e.name + " " + e.what);
  return list;
}

}  // namespace volary::test
