// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random inputs within their bounds, made from the same lists of fields as everything else.
#pragma once

#include "engine/payloads.hpp"
#include "math/hash.hpp"

namespace volary::test {

class RandomInputs {
 public:
  explicit RandomInputs(std::uint64_t seed) : state_(math::mix64(seed)) {}

  Input next() {
    Input in;
    in.tick = below(10'000);
    in.source = 1 + static_cast<std::uint32_t>(below(4));
    in.target = below(2) == 0 ? VehicleId{} : VehicleId{below(3) == 0 ? draw() : 1 + below(30)};
    make(below(std::variant_size_v<Payload>), in.payload);
    std::visit([&](auto& p) { describe(p, *this); }, in.payload);
    if (auto* s = std::get_if<Spawn>(&in.payload); s != nullptr && below(2) == 0) s->vehicle = {.position_W = {1, 2, 5}, .path = -1};
    if (auto* s = std::get_if<SetState>(&in.payload)) s->attitude = {1, 0, 0, 0};
    if (auto* s = std::get_if<SetMany>(&in.payload)) fill(*s);
    return in;
  }

  template <class T> void field(const char*, T& x, const core::Info& info) {
    if constexpr (std::is_enum_v<T>)
      x = static_cast<T>(below(names(T{}).size()));
    else if constexpr (requires { describe(x, *this); })
      describe(x, *this);
    else
      put(x, info);
  }

 private:
  std::uint64_t draw() { return math::mix64(state_ += 0x9e3779b97f4a7c15ull); }
  std::uint64_t below(std::uint64_t n) { return draw() % n; }
  // most are small, some reach to the bounds
  double number(const core::Info& info) {
    const double unit = static_cast<double>(draw() >> 11) * 0x1p-53, low = std::max(info.min, -1e30), high = std::min(info.max, 1e30);
    if (below(8) == 0) return low + unit * (high - low);
    return std::clamp(20 * unit - 10, low, high);
  }
  template <std::size_t K = 0> void make(std::size_t index, Payload& out) {
    if constexpr (K < std::variant_size_v<Payload>) {
      if (index != K) return make<K + 1>(index, out);
      out.emplace<K>();
    }
  }
  void put(double& x, const core::Info& info) { x = number(info); }
  void put(bool& x, const core::Info&) { x = below(2) == 0; }
  void put(int& x, const core::Info& info) { x = static_cast<int>(number(info)); }
  void put(std::uint32_t& x, const core::Info&) { x = static_cast<std::uint32_t>(below(4)); }
  void put(std::uint64_t& x, const core::Info& info) { x = below(3) == 0 ? below(static_cast<std::uint64_t>(info.max)) : below(40); }
  void put(std::string& x, const core::Info&) {
    static const std::string kWords[] = {"birds", "mass", "", "reynolds", "radio.loss", "0.5", "no such thing", "environment.wind", "[1, 2, 0]", "\x01\xff"};
    x = kWords[below(std::size(kWords))];
  }
  template <std::size_t N> void put(std::array<double, N>& list, const core::Info& info) {
    for (double& x : list) x = number(info);
  }
  void put(std::vector<double>&, const core::Info&) {}
  void put(std::vector<VehicleId>&, const core::Info&) {}
  void fill(SetMany& p) {
    if (below(4) != 0) p.flock = "birds";
    if (p.what == Many::Parameter) p.parameter = "mass", p.component = 0;
    if (p.what == Many::Reading) p.parameter = "lidar";
    const std::size_t n = 1 + below(25);
    for (std::size_t k = 0; k < n; ++k) p.ids.push_back({1 + below(30)});
    for (const engine::ManyColumns& c : engine::columns_of(p.what))
      for (std::size_t k = 0; k < c.least * n; ++k) p.values.push_back(std::string_view(c.name) == "attitude" ? (k < n ? 1 : 0) : number({.min = -c.limit, .max = c.limit}));
  }
  std::uint64_t state_;
};

}  // namespace volary::test
