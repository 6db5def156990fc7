// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/variants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/suggest.hpp"
#include "core/type_list.hpp"
#include "math/hash.hpp"
#include "math/random.hpp"
#include "scenario/field_error.hpp"
#include "scenario/yaml_reader.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

namespace {

constexpr double kMostSpread = 0.95;

// ---------------------------------------------------------------- the numbers of a definition

// visitor: visit(path, numbers, bounds of each, which entry of a list they are in) for every number and vector that is given
template <class Visit> class EachNumber {
 public:
  explicit EachNumber(Visit& visit, std::string before = "", std::uint64_t item = 0) : visit_(visit), before_(std::move(before)), item_(item) {}

  template <class T> void field(const char* name, T& value, const core::Info& info) { look(before_ + name, value, info); }

 private:
  template <class T> void look(const std::string& path, T& value, const core::Info& info) {
    if constexpr (std::is_same_v<T, double>) {
      visit_(path, std::span<double>(&value, 1), info, item_);
    } else if constexpr (IsArray<T>::value || std::is_same_v<T, std::vector<double>>) {
      visit_(path, std::span<double>(value), info, item_);
    } else if constexpr (IsOptional<T>::value || IsNested<T>::value) {
      if (value) look(path, *value, info);
    } else if constexpr (IsVector<T>::value) {
      look_into(path, value);
    } else if constexpr (requires(EachNumber& v) { describe(value, v); }) {
      EachNumber inner(visit_, path + ".", item_);
      describe(value, inner);
    }
  }
  // bounds of a list are those of its length
  template <class T> void look_into(const std::string& path, std::vector<T>& list) {
    std::uint64_t item = 256 * item_;
    for (T& entry : list) {
      if constexpr (IsArray<T>::value) {
        visit_(path, std::span<double>(entry), core::Info{}, item_);
      } else if constexpr (requires(EachNumber& v) { describe(entry, v); }) {
        EachNumber inner(visit_, path + ".", ++item);
        describe(entry, inner);
      }
    }
  }

  Visit& visit_;
  std::string before_;
  std::uint64_t item_;
};
template <class D, class Visit> void each_number(D& def, Visit&& visit) {
  EachNumber<std::remove_reference_t<Visit>> visitor(visit);
  describe(def, visitor);
}

template <class D> std::vector<std::string> names_in(D& def) {
  std::vector<std::string> names;
  each_number(def, [&](const std::string& path, std::span<double>, const core::Info&, std::uint64_t) {
    if (std::find(names.begin(), names.end(), path) == names.end()) names.push_back(path);
  });
  return names;
}

// ---------------------------------------------------------------- factors

std::uint64_t hash_of(std::uint64_t h, std::string_view text) {
  for (const char c : text) h = math::mix64(h ^ static_cast<unsigned char>(c));
  return math::mix64(h ^ (text.size() + 0x9e3779b97f4a7c15ull));
}

struct Draws {
  std::uint64_t seed;
  std::uint64_t flock;  // hash of its name
  std::uint64_t variant;

  double factor(std::string_view path, std::uint64_t item, double spread) const {
    const std::uint64_t who = math::mix64(hash_of(flock, path) + item);
    const auto words =
        math::random_words<std::uint32_t>({static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, static_cast<std::uint32_t>(who),
                                          static_cast<std::uint32_t>(who >> 32), math::Purpose::Airframe, variant, 0);
    return 1 + spread * ((2.0 * words.w[0] + 1.0 - 0x1p32) * 0x1p-32);
  }
};

// multiplies what one name stands for; an error where a number leaves its bounds
template <class D> core::Status spread_number(D& def, const std::string& name, double spread, const Draws& draws, const std::string& field) {
  core::Status status = core::ok();
  each_number(def, [&](const std::string& path, std::span<double> numbers, const core::Info& info, std::uint64_t item) {
    if (path != name) return;
    const double factor = draws.factor(path, item, spread);
    for (double& x : numbers) {
      const double before = x;
      x *= factor;
      const bool is_sound = x >= info.min && x <= info.max;
      if (!is_sound && status)
        status = error_at(field, fmt::format("variant {} would have {:.4g} instead of {:.4g}", draws.variant, x, before), "must be " + range_text(info));
    }
  });
  return status;
}

// whether the names mean numbers that a factor changes
template <class D> core::Status check_names(D& def, const VariantsFile& file, const std::string& model, const std::string& field) {
  const std::vector<std::string> known = names_in(def);
  for (const auto& [name, spread] : file.spread.items) {
    const std::string here = field + ".spread." + name;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string suggestion = core::did_you_mean(name, known);
      if (!suggestion.starts_with("known")) suggestion += fmt::format("; known: {}", fmt::join(known, ", "));
      return error_at(here, fmt::format("unknown number of a {}", model), std::move(suggestion));
    }
    if (!(spread >= 0 && spread <= kMostSpread)) return error_at(here, fmt::format("must be between 0 and {}", kMostSpread), "0.1 is 10 % up and down");
    bool is_zero = true;
    each_number(def, [&](const std::string& path, std::span<double> numbers, const core::Info&, std::uint64_t) {
      if (path == name) is_zero = is_zero && std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; });
    });
    if (is_zero) return error_at(here, "is 0 in this airframe: a factor does not change it", "leave it out, or give it in the airframe");
  }
  return core::ok();
}

template <class M> core::Result<std::vector<Airframe>> variants_of(const Airframe& airframe, const VariantsFile& file, std::uint64_t flock, std::uint64_t seed,
                                                                   const std::string& field) {
  using Def = typename M::Def;
  const Def& own = *static_cast<const Def*>(airframe.definition.get());
  Def first = own;
  if (const core::Status names = check_names(first, file, M::name, field); !names) return names.error();
  std::vector<Airframe> list;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(file.count); ++k) {
    auto def = std::make_shared<Def>(own);
    const Draws draws{seed, flock, k};
    for (const auto& [name, spread] : file.spread.items)
      if (const core::Status done = spread_number(*def, name, spread, draws, field + ".spread." + name); !done) return done.error();
    if (const core::Status sound = M::check(*def); !sound)
      return error_at(field + ".spread", fmt::format("variant {} is refused: {}", k, sound.error().text()), "a smaller spread");
    list.push_back({airframe.model, fmt::format("{} variant {}", airframe.name, k), std::move(def)});
  }
  return list;
}

}  // namespace

core::Result<std::vector<Airframe>> make_variants(const Airframe& airframe, const VariantsFile& file, const std::string& flock, std::uint64_t seed,
                                                  const std::string& field) {
  if (file.spread.items.empty()) return error_at(field + ".spread", "is missing: it names the numbers in which the variants differ", "such as {mass: 0.1}");
  if (file.count < 1) return error_at(field + ".count", "is missing: it is the number of variants", "such as 32");
  core::Result<std::vector<Airframe>> made = std::vector<Airframe>{};
  core::for_each_type(vehicles::AllVehicles{}, [&]<class M>() {
    if (airframe.model == M::name) made = variants_of<M>(airframe, file, hash_of(0, flock), seed, field);
  });
  return made;
}

std::vector<std::string> numbers_of(const Airframe& airframe) {
  std::vector<std::string> names;
  core::for_each_type(vehicles::AllVehicles{}, [&]<class M>() {
    if (airframe.model != M::name) return;
    typename M::Def def = *static_cast<const typename M::Def*>(airframe.definition.get());
    names = names_in(def);
  });
  return names;
}

}  // namespace volary::scenario
