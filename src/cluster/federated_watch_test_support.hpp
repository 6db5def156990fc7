// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an observer makes of the committed ticks of a federation, beside the same world in one process: hashes equal after every tick, and events.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cluster/message.hpp"
#include "volary/world.hpp"

namespace volary::cluster {

class FederatedWatch {
 public:
  FederatedWatch(const WorldDef& def, Sharing sharing) {
    sharing.member = Sharing::kNobody;
    RunOptions options;
    options.hash_every_tick = true;
    whole_ = World::create(def, options, &fault_);
    observer_ = World::create(def, {}, &fault_);
    if (fault_.empty()) observer_->share(sharing, &fault_);
  }

  // One committed tick with the sum of its hashes, its inputs and the frames of all members; what differs from one process, or empty.
  const std::string& take(Tick tick, std::uint64_t sum, std::span<const Input> inputs, std::span<const std::span<const std::byte>> frames,
                          std::span<const std::uint32_t> stand_ins = {}) {
    if (!fault_.empty()) return fault_;
    observer_->stand_in(stand_ins);
    for (World* w : {whole_.get(), observer_.get()})
      for (const Input& input : inputs) w->submit(input);
    whole_->step();
    observer_->advance(own_);
    if (!observer_->settle(frames, &fault_)) return fault_;
    if (whole_->tick() != tick) fault_ = "tick " + std::to_string(tick) + " was committed instead of " + std::to_string(whole_->tick());
    if (observer_->hash_with(sum) != whole_->hash()) fault_ = "the hash of tick " + std::to_string(tick) + " differs from that of one process";
    if (texts(*observer_) != texts(*whole_)) fault_ = "the events of tick " + std::to_string(tick) + " differ from those of one process";
    return fault_;
  }

  const World& observer() const { return *observer_; }
  const World& whole() const { return *whole_; }
  std::uint64_t between() const { return whole_->hash_with(0); }  // the hash of what all vehicles share

 private:
  static std::vector<std::string> texts(World& w) {
    std::vector<std::string> list;
    for (const Event& e : w.take_events()) list.push_back(std::to_string(e.tick) + " " + std::to_string(e.vehicle.value) + " " + e.name + " " + e.what);
    return list;
  }

  std::unique_ptr<World> whole_, observer_;
  std::vector<std::byte> own_;
  std::string fault_;
};

}  // namespace volary::cluster
