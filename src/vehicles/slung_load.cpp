// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/slung_load.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::airframe {

namespace {

constexpr double kMostHoverShare = 0.8;  // of the greatest thrust of a carrier
constexpr double kGreatest = 1e9;
constexpr double kShortestCable = 1e-3;  // m
constexpr double kSlack = 1e-9;          // relative: flat bodies meet the triangle inequality with equality
constexpr double kNoTurn = 1e-9;         // m2: hooks or carriers all in one place

core::Error refuse(std::string field, std::string message, std::string suggestion) {
  core::Error e;
  e.field = std::move(field), e.message = std::move(message), e.suggestion = std::move(suggestion);
  return e;
}

// also false for NaN
bool is_within(double x, double least, double most) { return x >= least && x <= most; }
Place to_place(const Vec& v) { return {v[0], v[1], v[2]}; }

core::Status check_box(const LoadDef& load) {
  if (!is_within(load.mass, 1e-9, kGreatest)) return refuse("mass", fmt::format("the load has a mass of {:g} kg", load.mass), "a positive number");
  for (const double edge : load.size)
    if (!is_within(edge, 1e-6, kGreatest)) return refuse("size", "the load has an edge that is not positive", "three lengths in m");
  const math::Vec3<double> j = moments_of(load);
  const double most = std::max({j.x, j.y, j.z}), sum = j.x + j.y + j.z;
  if (!(std::min({j.x, j.y, j.z}) > 0 && most <= (sum - most) * (1 + kSlack) && sum < kGreatest))
    return refuse("inertia", fmt::format("no body has moments of inertia of {:g}, {:g} and {:g} kg m2", j.x, j.y, j.z),
                  "each moment is positive and at most the sum of the other two");
  return core::ok();
}

core::Status check_cables(const LoadDef& load, std::size_t carriers) {
  if (carriers != load.with.size() + 1)
    return refuse("with", fmt::format("{} flocks are named, and {} aircraft carry the load", load.with.size(), carriers), "all but this flock");
  if (carriers > kMostCarriers) return refuse("with", fmt::format("{} aircraft carry the load", carriers), fmt::format("at most {}", kMostCarriers));
  if (!is_within(load.cable.length, kShortestCable, kGreatest))
    return refuse("cable.length", fmt::format("{:g} m is no length of a cable", load.cable.length), fmt::format("at least {:g} m", kShortestCable));
  if (!load.hooks.empty() && load.hooks.size() != carriers)
    return refuse("hooks", fmt::format("the load has {} hooks and {} carriers", load.hooks.size(), carriers),
                  "one hook for each carrier, that of this flock first");
  return core::ok();
}

// an equal part of the load for each; that their cables may lean is not counted
core::Status check_thrust(const LoadDef& load, std::span<const Airframe* const> carriers, double gravity) {
  for (const Airframe* a : carriers) {
    const auto& def = *static_cast<const MultirotorDef*>(a->definition.get());
    const double most = kMostHoverShare * figures(def, gravity).max_thrust, share = load.mass / static_cast<double>(carriers.size());
    if (gravity * (def.mass + share) <= most) continue;
    const double room = most / gravity - def.mass;
    return refuse("mass",
                  fmt::format("hovering with {:.3g} kg of load takes {:.3g} N of '{}', which has {:.3g} N", share, gravity * (def.mass + share), a->name,
                              most / kMostHoverShare),
                  room > 0 ? fmt::format("at most {:.0f} % of its thrust: a load of {:.3g} kg or less, or more carriers", 100 * kMostHoverShare,
                                         room * static_cast<double>(carriers.size()))
                           : fmt::format("a stronger aircraft: hovering may take {:.0f} % of its thrust", 100 * kMostHoverShare));
  }
  return core::ok();
}

// how far the hooks turn about the vertical to be as near to the carriers as they can, all seen from their mean
double turn_towards(std::span<const CableEnds> carriers, const Place& mean_upper, const Place& mean_hook, double otherwise) {
  double along = 0, across = 0;
  for (const CableEnds& c : carriers) {
    const Place a = c.upper_W - mean_upper, h = c.hook_L - mean_hook;
    along += h.x * a.x + h.y * a.y, across += h.x * a.y - h.y * a.x;
  }
  return along * along + across * across > kNoTurn * kNoTurn ? math::atan2(across, along) : otherwise;
}

}  // namespace

std::vector<Place> hooks_of(const LoadDef& load) {
  std::vector<Place> hooks;
  for (const Vec& h : load.hooks) hooks.push_back(to_place(h));
  if (!hooks.empty()) return hooks;
  const double x = 0.5 * load.size[0], y = 0.5 * load.size[1], top = 0.5 * load.size[2];
  switch (load.with.size()) {
    case 0: return {{0, 0, top}};
    case 1: return {{x, 0, top}, {-x, 0, top}};
    case 2: return {{x, 0, top}, {-x, y, top}, {-x, -y, top}};
    default: return {{x, y, top}, {-x, y, top}, {-x, -y, top}, {x, -y, top}};
  }
}

math::Vec3<double> moments_of(const LoadDef& load) {
  if (load.moments != Vec{0, 0, 0}) return to_place(load.moments);
  const double x = load.size[0] * load.size[0], y = load.size[1] * load.size[1], z = load.size[2] * load.size[2];
  return (load.mass / 12) * math::Vec3<double>{y + z, x + z, x + y};
}

double floor_of(const EnvironmentDef& e) { return e.ground && e.terrain == nullptr ? e.ground_height : -std::numeric_limits<double>::infinity(); }

Hanging hang(const LoadDef& load, std::span<const CableEnds> carriers, double yaw, double floor) {
  Place upper{0, 0, 0}, hook{0, 0, 0};
  const double each = 1 / static_cast<double>(carriers.size()), length = load.cable.length;
  for (const CableEnds& c : carriers) upper = upper + each * c.upper_W, hook = hook + each * c.hook_L;
  Hanging h;
  h.yaw = turn_towards(carriers, upper, hook, yaw);
  double s, c;
  math::sincos(h.yaw, s, c);
  const auto turned = [&](const Place& v) { return Place{c * v.x - s * v.y, s * v.x + c * v.y, v.z}; };
  h.position_W = upper - turned(hook);

  // each cable holds the load up to a height of its own, by how far it leads aside
  double low = floor + 0.5 * load.size[2];
  for (const CableEnds& e : carriers) {
    const Place arm = turned(e.hook_L), aside = e.upper_W - (h.position_W + arm);
    const double drop2 = length * length - aside.x * aside.x - aside.y * aside.y;
    low = std::max(low, e.upper_W.z - math::sqrt(std::max(drop2, 0.0)) - arm.z);
  }
  h.position_W.z = low;
  for (std::size_t k = 0; k < carriers.size(); ++k)
    if (const double apart = math::norm(carriers[k].upper_W - (h.position_W + turned(carriers[k].hook_L))); apart > h.apart) h.apart = apart, h.farthest = k;
  return h;
}

core::Status check_load(const LoadDef& load, std::span<const Airframe* const> carriers, const EnvironmentDef& environment) {
  for (const Airframe* a : carriers)
    if (a->model != "multirotor" || a->definition == nullptr)
      return refuse("", fmt::format("'{}' is of the model {}: only multirotors carry loads", a->name, a->model), "an airframe such as x500");
  if (environment.terrain != nullptr)
    return refuse("", "a load touches flat ground, and would pass through the terrain of this world", "no terrain, or no load");
  if (const core::Status s = check_box(load); !s) return s;
  if (const core::Status s = check_cables(load, carriers.size()); !s) return s;
  return check_thrust(load, carriers, environment.gravity);
}

}  // namespace volary::airframe
