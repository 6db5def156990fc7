// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "agents/goals.hpp"

#include "control/guide.hpp"
#include "environment/gust.hpp"
#include "math/functions.hpp"

namespace volary::agents {

Goals::Goals(const GoalDef& def, double tick, std::uint64_t ticks) : def_(def), tick_(tick) {
  if (is_series()) count_ = static_cast<std::uint32_t>(def.points.empty() ? static_cast<std::size_t>(def.count) : def.points.size());
  if (def.kind != GoalKind::Curve) return;
  ahead_ = static_cast<std::uint64_t>(def.ahead / tick + 0.5);
  const std::uint64_t n = ticks + ahead_ + 1;
  table_.reserve(n);
  for (std::uint64_t k = 0; k < n; ++k) table_.push_back(work_out(k));
}

Vec Goals::point(const Who& who, std::uint32_t number) const {
  const auto words =
      math::random_words<std::uint32_t>(who.key, static_cast<std::uint32_t>(who.id), static_cast<std::uint32_t>(who.id >> 32), math::Purpose::Goal, number, 0);
  Vec p = {0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    if (number < def_.points.size()) p[k] = def_.points[number][k];
    if (def_.from_start) p[k] += who.start_W[k];
    const double u = environment::uniform<double>(words.w[k]);
    p[k] += def_.low[k] + (def_.high[k] - def_.low[k]) * u;
  }
  return p;
}

Vec Goals::normal(const Who& who, std::uint32_t number) const {
  const Vec to = point(who, number), from = number == 0 ? who.start_W : point(who, number - 1);
  Vec n = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const double length = math::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 1e-9)) return {1, 0, 0};
  for (double& x : n) x /= length;
  return n;
}

Goals::Moved Goals::work_out(std::uint64_t tick) const {
  const Harmonic& h = def_.curve;
  control::Plan<double> plan{};
  plan.amplitude = {h.amplitude[0], h.amplitude[1], h.amplitude[2]};
  plan.rate = {h.rate[0], h.rate[1], h.rate[2]};
  plan.phase = {h.phase[0], h.phase[1], h.phase[2]};
  plan.ramp = h.ramp;
  const control::CurvePoint<double> c = control::harmonic_point(plan, static_cast<double>(tick) * tick_);
  return {{c.position.x, c.position.y, c.position.z}, {c.velocity.x, c.velocity.y, c.velocity.z}};
}

}  // namespace volary::agents
