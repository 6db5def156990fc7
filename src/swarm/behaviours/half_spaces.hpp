// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The point of a ball and of half-spaces that is nearest to a wanted one: the three-dimensional program of reciprocal collision avoidance (van den
// Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance", ISRR 2009, Springer 2011). Incremental, as in de Berg et al., "Computational
// Geometry", chapter 4: while the answer so far obeys the next half-space nothing is done, otherwise the new answer lies on its plane, where the same
// is one dimension smaller. Half-spaces are taken in the order given, not shuffled: the answer is the same, and so are its bits.
#pragma once

#include <span>

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

// all x with normal . x >= offset; the normal is a unit vector
struct HalfSpace {
  V3 normal{};
  double offset = 0;
  double excess(const V3& x) const { return dot(normal, x) - offset; }
};

class HalfSpaceProgram {
 public:
  struct Answer {
    V3 point{};
    bool feasible = true;
    double relaxed = 0;  // by how much the soft half-spaces were moved back to make it so
  };

  // The first `hard` half-spaces are never relaxed; `inside` must obey them and be in the ball. If all cannot be obeyed, the soft ones are
  // moved back together by the least distance that leaves something, found by halving to 1/4096 of its first bound: millimetres a second.
  static Answer solve(std::span<const HalfSpace> spaces, std::size_t hard, double radius, const V3& wanted, const V3& inside) {
    HalfSpaceProgram program{spaces, hard, radius, wanted};
    Answer a;
    if (program.nearest(0, a.point)) return a;
    double low = 0, high = 0;
    for (std::size_t k = hard; k < spaces.size(); ++k) high = math::max(high, -spaces[k].excess(inside));
    a = {inside, false, high};
    for (int halving = 0; halving < 12; ++halving) {
      const double middle = 0.5 * (low + high);
      V3 point{};
      if (program.nearest(middle, point)) {
        a = {point, false, middle};
        high = middle;
      } else {
        low = middle;
      }
    }
    return a;
  }

 private:
  static constexpr double kSlack = 1e-9;  // m/s: rounding must not turn "on the plane" into "beyond it"
  HalfSpaceProgram(std::span<const HalfSpace> spaces, std::size_t hard, double radius, const V3& wanted)
      : spaces_(spaces), hard_(hard), radius_(radius), wanted_(wanted) {}

  HalfSpace at(std::size_t k) const { return {spaces_[k].normal, spaces_[k].offset - (k < hard_ ? 0 : back_)}; }

  bool nearest(double back, V3& x) {
    back_ = back;
    x = limit_norm(wanted_, radius_);
    for (std::size_t k = 0; k < spaces_.size(); ++k)
      if (at(k).excess(x) < -kSlack && !nearest_on_plane(k, x)) return false;
    return true;
  }
  // on plane i, obeying those before it
  bool nearest_on_plane(std::size_t i, V3& x) const {
    const HalfSpace plane = at(i);
    const double squared = radius_ * radius_ - plane.offset * plane.offset;
    if (squared < 0) return false;
    // ball and plane meet in a disc
    const V3 centre = plane.offset * plane.normal;
    x = add_scaled(-plane.excess(wanted_), plane.normal, wanted_);
    x = centre + limit_norm(x - centre, math::sqrt(squared));
    for (std::size_t j = 0; j < i; ++j) {
      const HalfSpace other = at(j);
      if (other.excess(x) >= -kSlack) continue;
      const V3 across = math::cross(plane.normal, other.normal);
      const double size = norm(across);
      if (size < 1e-7) return false;  // parallel, and the plane is on the wrong side
      // a point of both planes: centre moved within the first until it meets the second
      const V3 along = (1 / size) * across, inward = math::cross(along, plane.normal);
      const V3 point = add_scaled(-other.excess(centre) / dot(inward, other.normal), inward, centre);
      if (!nearest_on_line(point, along, i, j, x)) return false;
    }
    return true;
  }
  // on the line where planes i and j meet, obeying those before j; the point is the line's nearest to the disc's centre
  bool nearest_on_line(const V3& point, const V3& along, std::size_t i, std::size_t j, V3& x) const {
    const double middle = -dot(point, along), squared = radius_ * radius_ - dot(point, point) + middle * middle;
    if (squared < 0) return false;
    double low = middle - math::sqrt(squared), high = middle + math::sqrt(squared);
    for (std::size_t k = 0; k < j; ++k) {
      if (k == i) continue;
      const HalfSpace space = at(k);
      const double slope = dot(space.normal, along), excess = space.excess(point);
      if (math::abs(slope) < 1e-9) {
        if (excess < -kSlack) return false;
        continue;
      }
      const double t = -excess / slope;
      if (slope > 0)
        low = math::max(low, t);
      else
        high = math::min(high, t);
    }
    if (low > high + kSlack) return false;
    x = add_scaled(clamp_to(dot(wanted_ - point, along), low, math::max(low, high)), along, point);
    return true;
  }

  std::span<const HalfSpace> spaces_;
  std::size_t hard_;
  double radius_;
  V3 wanted_;
  double back_ = 0;
};

}  // namespace volary::swarm
