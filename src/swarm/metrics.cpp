// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/metrics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace volary::swarm {

namespace {

constexpr double kAtRest = 0.01;  // m/s
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance2(const V3& a, const V3& b) {
  const V3 d = a - b;
  return dot(d, d);
}

// places by x, the lower index first among equals: neighbours are then looked for along one axis
std::vector<std::uint32_t> sorted_by_x(std::span<const V3> positions) {
  std::vector<std::uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double xa = positions[a].x, xb = positions[b].x;
    return xa < xb || (xa == xb && a < b);
  });
  return order;
}

// sets that are joined pair by pair
class Groups {
 public:
  explicit Groups(std::uint32_t n) : above_(n), size_(n, 1) { std::iota(above_.begin(), above_.end(), 0u); }
  std::uint32_t root(std::uint32_t a) {
    while (above_[a] != a) a = above_[a] = above_[above_[a]];
    return a;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (size_[a] < size_[b]) std::swap(a, b);
    above_[b] = a;
    size_[a] += size_[b];
  }
  Components count() {
    Components c;
    for (std::uint32_t k = 0; k < above_.size(); ++k) {
      if (above_[k] != k) continue;
      ++c.count;
      c.largest = std::max(c.largest, size_[k]);
    }
    return c;
  }

 private:
  std::vector<std::uint32_t> above_, size_;
};

// a symmetric matrix, row by row
struct Symmetric {
  std::size_t n;
  std::vector<double> a;
  double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
};

Symmetric laplacian(std::uint32_t n, std::span<const Edge> edges) {
  Symmetric m{n, std::vector<double>(static_cast<std::size_t>(n) * n, 0.0)};
  for (const Edge& e : edges) {
    if (e[0] == e[1] || m(e[0], e[1]) != 0) continue;  // given twice is one edge
    m(e[0], e[1]) = m(e[1], e[0]) = -1;
    m(e[0], e[0]) += 1;
    m(e[1], e[1]) += 1;
  }
  return m;
}

// Householder reflections turn a symmetric matrix into one with two diagonals and the same eigenvalues
void make_tridiagonal(Symmetric& m, std::vector<double>& diagonal, std::vector<double>& beside) {
  const std::size_t n = m.n;
  std::vector<double> v(n), p(n);
  beside.assign(n, 0.0);
  for (std::size_t k = 0; k + 2 < n; ++k) {
    double length2 = 0;
    for (std::size_t i = k + 1; i < n; ++i) length2 += m(i, k) * m(i, k);
    const double length = math::sqrt(length2), alpha = m(k + 1, k) > 0 ? -length : length;
    beside[k + 1] = alpha;
    if (length == 0) continue;
    for (std::size_t i = k + 1; i < n; ++i) v[i] = m(i, k);
    v[k + 1] -= alpha;
    double v2 = 0;
    for (std::size_t i = k + 1; i < n; ++i) v2 += v[i] * v[i];
    // the lower right part becomes (I - 2 v v'/v2) A (I - 2 v v'/v2) = A - v q' - q v'
    double vp = 0;
    for (std::size_t i = k + 1; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = k + 1; j < n; ++j) sum += m(i, j) * v[j];
      p[i] = 2 * sum / v2;
      vp += v[i] * p[i];
    }
    for (std::size_t i = k + 1; i < n; ++i) p[i] -= vp / v2 * v[i];
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j < n; ++j) m(i, j) -= v[i] * p[j] + p[i] * v[j];
  }
  if (n > 1) beside[n - 1] = m(n - 1, n - 2);
  diagonal.resize(n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = m(i, i);
}

// how many eigenvalues are below x: sign changes of Sturm's sequence
std::size_t eigenvalues_below(double x, const std::vector<double>& diagonal, const std::vector<double>& beside) {
  std::size_t n = 0;
  double q = 1;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    q = diagonal[i] - x - (i > 0 ? beside[i] * beside[i] / q : 0.0);
    if (q == 0) q = 1e-300;
    if (q < 0) ++n;
  }
  return n;
}

}  // namespace

double polar_order(std::span<const V3> velocities) {
  V3 sum{0, 0, 0};
  for (const V3& v : velocities) {
    const double speed = norm(v);
    if (speed >= kAtRest) sum = sum + (1 / speed) * v;
  }
  return velocities.empty() ? 0 : norm(sum) / static_cast<double>(velocities.size());
}

Separation separation(std::span<const V3> positions) {
  const std::vector<std::uint32_t> order = sorted_by_x(positions);
  std::vector<double> nearest2(positions.size(), kInfinity);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const V3& a = positions[order[i]];
    // whoever is behind in the order has looked this way already, but was content with somebody nearer to him
    for (const int step : {1, -1}) {
      for (std::size_t j = i + static_cast<std::size_t>(step); j < order.size(); j += static_cast<std::size_t>(step)) {
        const double dx = positions[order[j]].x - a.x;
        double& best = nearest2[order[i]];
        if (dx * dx >= best) break;
        best = math::min(best, distance2(a, positions[order[j]]));
      }
    }
  }
  Separation s{kInfinity, 0};
  for (const double d2 : nearest2) {
    s.min = math::min(s.min, math::sqrt(d2));
    s.mean += math::sqrt(d2);
  }
  s.mean = positions.size() < 2 ? kInfinity : s.mean / static_cast<double>(positions.size());
  return s;
}

std::vector<Edge> edges_within(std::span<const V3> positions, double radius) {
  const std::vector<std::uint32_t> order = sorted_by_x(positions);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const V3& a = positions[order[i]];
    for (std::size_t j = i + 1; j < order.size() && positions[order[j]].x - a.x <= radius; ++j)
      if (distance2(a, positions[order[j]]) <= radius * radius) edges.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
  }
  return edges;
}

Components components(std::uint32_t n, std::span<const Edge> edges) {
  Groups groups(n);
  for (const Edge& e : edges) groups.join(e[0], e[1]);
  return groups.count();
}

double union_share(std::span<const V3> positions, double radius) {
  if (positions.empty()) return 0;
  const auto n = static_cast<std::uint32_t>(positions.size());
  return static_cast<double>(components(n, edges_within(positions, radius)).largest) / n;
}

double algebraic_connectivity(std::uint32_t n, std::span<const Edge> edges) {
  core::require(n <= kMostForConnectivity, "algebraic connectivity is for small graphs");
  // what is in pieces is exactly 0, without rounding
  if (n < 2 || components(n, edges).count > 1) return 0;
  Symmetric m = laplacian(n, edges);
  std::vector<double> diagonal, beside;
  make_tridiagonal(m, diagonal, beside);
  double low = 0, high = n;  // no eigenvalue of a Laplacian is above n
  for (int k = 0; k < 64; ++k) {
    const double middle = 0.5 * (low + high);
    (eigenvalues_below(middle, diagonal, beside) >= 2 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

double CoverageGrid::cells_of(std::array<double, 2> min, std::array<double, 2> max, double cell) {
  const auto along = [&](int k) { return math::max(1.0, -math::floor(-(max[k] - min[k]) / cell)); };  // a part of a cell is a cell
  return along(0) * along(1);
}

CoverageGrid::CoverageGrid(std::array<double, 2> min, std::array<double, 2> max, double cell) : min_(min), cell_(cell) {
  core::require(cell > 0 && cells_of(min, max, cell) <= kMostCells, "a coverage grid has too many cells");
  columns_ = static_cast<std::uint64_t>(math::max(1.0, -math::floor(-(max[0] - min[0]) / cell)));
  rows_ = static_cast<std::uint64_t>(math::max(1.0, -math::floor(-(max[1] - min[1]) / cell)));
  n_ = columns_ * rows_;
  bits_.assign((n_ + 63) / 64, 0);
}

void CoverageGrid::visit(const V3& position, double radius) {
  // cells whose centres may be within the radius
  const auto range = [&](double x, double from, std::uint64_t n, std::uint64_t& first, std::uint64_t& last) {
    const double low = math::max(0.0, math::floor((x - radius - from) / cell_)),
                 high = math::min(static_cast<double>(n) - 1, math::floor((x + radius - from) / cell_));
    if (!(low <= high)) return false;
    first = static_cast<std::uint64_t>(low), last = static_cast<std::uint64_t>(high);
    return true;
  };
  std::uint64_t c0, c1, r0, r1;
  if (!range(position.x, min_[0], columns_, c0, c1) || !range(position.y, min_[1], rows_, r0, r1)) return;
  for (std::uint64_t r = r0; r <= r1; ++r) {
    for (std::uint64_t c = c0; c <= c1; ++c) {
      const double dx = min_[0] + (static_cast<double>(c) + 0.5) * cell_ - position.x, dy = min_[1] + (static_cast<double>(r) + 0.5) * cell_ - position.y;
      if (dx * dx + dy * dy > radius * radius) continue;
      std::uint64_t& word = bits_[(r * columns_ + c) / 64];
      const std::uint64_t bit = std::uint64_t{1} << ((r * columns_ + c) % 64);
      visited_ += (word & bit) == 0 ? 1 : 0;
      word |= bit;
    }
  }
}

bool CoverageGrid::recount() {
  if (bits_.size() != (n_ + 63) / 64) return false;
  if (n_ % 64 != 0 && (bits_.back() >> (n_ % 64)) != 0) return false;
  visited_ = 0;
  for (const std::uint64_t word : bits_) visited_ += static_cast<std::uint64_t>(__builtin_popcountll(word));
  return true;
}

void AgeOfInformation::heard(double now, double said) {
  if (said <= said_) return;  // an older message tells nothing new
  // the area below a line that rises by one second per second
  area_ += 0.5 * (age(from_) + age(now)) * (now - from_);
  sum_of_peaks_ += age(now);
  ++peaks_;
  from_ = now;
  said_ = said;
}

double AgeOfInformation::mean(double now) const {
  const double area = area_ + 0.5 * (age(from_) + age(now)) * (now - from_);
  return now > start_ ? area / (now - start_) : 0;
}

AgeSummary summarise_ages(std::span<const double> ages) {
  if (ages.empty()) return {};
  std::vector<double> sorted(ages.begin(), ages.end());
  std::sort(sorted.begin(), sorted.end());
  // the smallest age that so large a share of all does not exceed
  const auto rank = [&](double share) {
    return sorted[static_cast<std::size_t>(math::max(0.0, -math::floor(-share * static_cast<double>(sorted.size())) - 1))];
  };
  AgeSummary s{0, rank(0.5), rank(0.95), sorted.back(), sorted.size()};
  for (const double age : sorted) s.mean += age;
  s.mean /= static_cast<double>(sorted.size());
  return s;
}

double hover_power_ratio(const V3& acceleration_W, double gravity) {
  if (!(gravity > 0)) return 0;
  const double thrust = norm(acceleration_W + V3{0, 0, gravity}) / gravity;
  return thrust * math::sqrt(thrust);
}

}  // namespace volary::swarm
