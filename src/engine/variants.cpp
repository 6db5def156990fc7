// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/variants.hpp"

#include "engine/flock.hpp"

namespace volary::engine {

core::Status make_variants(Flock& f) {
  const std::vector<Airframe>& list = f.def.variants;
  const void* own = f.def.airframe.definition.get();
  std::vector<std::vector<double>> derived;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto bad = [&](const std::string& why) {
      return core::Error{.message = "'" + list[k].name + "' " + why, .field = "flocks." + f.def.name + ".variants[" + std::to_string(k) + "]"};
    };
    if (list[k].model != f.def.airframe.model) return bad("is of another model than the flock's airframe");
    const void* def = list[k].definition.get();
    const int index = f.model->choose(def, f.setup);
    if (index < 0 || &f.model->programs[static_cast<std::size_t>(index)] != f.program) return bad("needs another kernel than the flock's airframe");
    if (f.program->tables != nullptr && f.program->tables(def) != f.program->tables(own)) return bad("has other tables than the flock's airframe");
    auto params = f.program->derive(def, f.setup);
    if (!params) return params.error();
    derived.push_back(std::move(params).value());
  }
  Variants& v = f.variants;
  v.n = derived.size();
  for (std::size_t row = 0; row < f.param_values.size(); ++row)
    for (const std::vector<double>& params : derived)
      if (params[row] != f.param_values[row]) {
        v.rows.push_back(static_cast<int>(row));
        break;
      }
  for (const std::vector<double>& params : derived)
    for (const int row : v.rows) v.values.push_back(params[static_cast<std::size_t>(row)]);
  for (const int row : v.rows) f.own_column(row);
  return core::ok();
}

void draw_variants(Flock& f, std::size_t first, std::size_t last, const math::RandomKey<std::uint32_t>& key) {
  const Variants& v = f.variants;
  if (v.n == 0) return;
  for (std::size_t slot = first; slot < last; ++slot) {
    const std::uint64_t who = f.draws[slot];
    const auto words = math::random_words<std::uint32_t>(key, static_cast<std::uint32_t>(who), static_cast<std::uint32_t>(who >> 32), math::Purpose::Variant, 0, 0);
    const double* values = v.values.data() + (std::uint64_t{words.w[0]} * v.n >> 32) * v.rows.size();
    for (std::size_t k = 0; k < v.rows.size(); ++k) {
      // their columns are the first ones, unless a snapshot brought others
      const bool is_first = k < f.overrides.size() && f.overrides[k].row == v.rows[k];
      (is_first ? f.overrides[k] : f.own_column(v.rows[k])).set(slot, f.bytes, values[k]);
    }
  }
}

}  // namespace volary::engine
