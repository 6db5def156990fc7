// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who hears a packet. When it starts, the nodes within reach are found and what arrives at each is settled (places of that tick); when it
// ends, it is judged at each of them against everything that overlapped it, at the worst moment of its airtime.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "swarm/radio/cells.hpp"
#include "swarm/radio/interference.hpp"
#include "swarm/radio/parallel.hpp"

namespace volary::swarm {

class Hearing {
 public:
  explicit Hearing(const RadioDef& def);

  struct Scene {
    Ether ether;
    std::span<const RadioNode> nodes;
    std::span<const Station> stations;
    std::span<const std::uint64_t> ids;   // of the stations
    std::span<const Letter> letters;
    const std::vector<OnAir>& air;
    std::span<const Link> links;          // of packets from earlier ticks
    std::span<const std::uint32_t> work;  // packets: those that end in this tick, then those that only begin
    std::size_t ending;
    std::int64_t now;                     // ns
    std::int64_t longest;                 // ns that a packet may be on the air
  };
  // Verdicts on all that end, in the order of `work`. Links of those that begin and go on are appended to `carried`, and their packets'
  // stretches of it come with them.
  struct Stretch {
    std::uint32_t packet, links, n_links;
  };
  void listen(const Scene& scene, const Parallel& parallel, std::vector<Outcome>& verdicts, std::vector<Link>& carried, std::vector<Stretch>& stretches);

 private:
  // what one thread needs and finds
  struct alignas(64) Part {
    std::vector<Link> links, carried;
    std::vector<Outcome> verdicts;
    Interferers interferers;
    std::vector<std::uint32_t> found;
    double power = -1, reach = 0;  // of the last sender
  };

  void index(const Scene& scene, const Parallel& parallel);
  void index_receivers(const Scene& scene, double width, const Parallel& parallel);
  void index_senders(const Scene& scene, double width);
  void plan_route(const Scene& scene);
  void find_receivers(const Scene& scene, const OnAir& packet, Part& part) const;
  void address(const Scene& scene, const OnAir& packet, std::uint64_t to, Part& part) const;
  // At the station of the link and its position. False: it is none of those that could have heard it.
  bool arrives(const Scene& scene, const OnAir& packet, const Key& fading, Link& link) const;
  void gather(const Scene& scene, const OnAir& packet, std::uint32_t index, std::span<const Link> links, Part& part) const;
  void judge(const Scene& scene, std::uint32_t packet, std::span<const Link> links, Part& part) const;
  Outcome verdict(const Scene& scene, const OnAir& packet, const Link& link, Part& part) const;

  double loss_;
  bool half_duplex_, slotted_;
  bool in_slots_ = false;  // all that is on the air
  std::int64_t slot_ns_;
  std::int64_t bucket_ns_ = 1;
  double widest_cut_off_ = 0;         // m
  CellTable receivers_, senders_;     // by node, by packet
  std::vector<std::uint8_t> sending_;  // by station: it has a packet on the air
  std::vector<Part> parts_;
  std::vector<std::uint32_t> route_;  // places in `work`, in the order in which they are looked at
  struct Run {
    std::uint32_t part, at, n;
  };
  std::vector<Run> runs_;  // by place in `work`: where its verdicts are, or its links
};

}  // namespace volary::swarm
