// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Figures that tell how a swarm does, as functions of positions, velocities and links. The order of what is handed in is the
// order of summing: hand it in by id, and the bits are the same everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "swarm/sense.hpp"

namespace volary::swarm {

// |sum of headings| / N: 1 when all fly one way, about 1/sqrt(N) for headings by chance (Vicsek et al. 1995, eq. 3). Whoever
// is slower than 1 cm/s has no heading, but counts in N.
double polar_order(std::span<const V3> velocities);

struct Separation {
  double min = 0;   // m: of the nearest two
  double mean = 0;  // m: to the nearest neighbour, mean over all
};
// both are infinite for fewer than two
Separation separation(std::span<const V3> positions);

// an undirected edge between two places in a list
using Edge = std::array<std::uint32_t, 2>;

// pairs no further apart than `radius`, each once
std::vector<Edge> edges_within(std::span<const V3> positions, double radius);

struct Components {
  std::uint32_t count = 0;
  std::uint32_t largest = 0;  // members
};
Components components(std::uint32_t n, std::span<const Edge> edges);

// The union of a flock: share of its members in the largest group in which each has another within `radius`. 0 for nobody.
double union_share(std::span<const V3> positions, double radius);

// The second smallest eigenvalue of the Laplacian of a graph (Fiedler 1973): 0 when it is in pieces, n when all are joined to all. Its
// cost grows with the cube of n; beyond kMostForConnectivity nodes ask components() instead.
inline constexpr std::uint32_t kMostForConnectivity = 200;
double algebraic_connectivity(std::uint32_t n, std::span<const Edge> edges);

// The part of a rectangle that somebody has been near, on a grid. A cell counts when its centre was within the radius.
class CoverageGrid {
 public:
  CoverageGrid() = default;
  CoverageGrid(std::array<double, 2> min, std::array<double, 2> max, double cell);  // m

  static constexpr double kMostCells = 4e6;
  static double cells_of(std::array<double, 2> min, std::array<double, 2> max, double cell);

  void visit(const V3& position, double radius);
  double share() const { return n_ > 0 ? static_cast<double>(visited_) / static_cast<double>(n_) : 0; }

  std::vector<std::uint64_t>& bits() { return bits_; }  // what a snapshot keeps
  const std::vector<std::uint64_t>& bits() const { return bits_; }
  bool recount();  // after the bits were put back; false: they are of another grid

 private:
  std::array<double, 2> min_{};
  double cell_ = 1;
  std::uint64_t columns_ = 0, rows_ = 0, n_ = 0, visited_ = 0;
  std::vector<std::uint64_t> bits_;
};

// How old what a receiver knows of a sender is, over time: it grows with time and falls to the message's own age whenever a
// newer one comes (Kaul, Yates, Gruteser 2012, eq. 2).
class AgeOfInformation {
 public:
  explicit AgeOfInformation(double start = 0) : start_(start), from_(start), said_(start) {}  // s: as if the first was said then

  void heard(double now, double said);  // s; `now` never falls
  double age(double now) const { return now - said_; }
  double mean(double now) const;                              // time average
  double mean_peak() const { return peaks_ > 0 ? sum_of_peaks_ / static_cast<double>(peaks_) : 0; }  // just before something newer came

 private:
  double start_, from_, said_;  // s: of all, of the piece that is not summed yet, of the newest message
  double area_ = 0, sum_of_peaks_ = 0;
  std::uint64_t peaks_ = 0;
};

struct AgeSummary {
  double mean = 0, median = 0, p95 = 0, max = 0;  // s
  std::uint64_t links = 0;
};
AgeSummary summarise_ages(std::span<const double> ages);

// Energy by its share of hovering: the induced power of a rotor is T^1.5 / sqrt(2 rho A) (momentum theory; Leishman 2006, eq. 2.14), and its thrust
// per mass is |a + g|, so the integral of (|a + g| / g)^1.5 is the time of hovering that costs the same. Drag, climb and profile
// power are left out: it compares flights of one airframe at modest speeds, and is no substitute for a battery.
double hover_power_ratio(const V3& acceleration_W, double gravity);

}  // namespace volary::swarm
