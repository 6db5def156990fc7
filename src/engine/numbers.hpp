// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Dense places for sparse vehicle numbers. Numbers may lie anywhere below 2^40: those of another world of the batch or of another process begin far
// away and cost nothing. Numbers are kept in pages of 64; a page takes 64 places when the first number of it is added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace volary::engine {

class Numbers {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // the place of a number, or none; the place may belong to a number of the same page that nobody added
  std::size_t find(std::uint64_t number) const {
    const std::uint64_t key = number / kPage;
    // numbers that count from 1 are on the page that their quotient says
    if (key < pages_.size() && pages_[key].key == key) return pages_[key].first + number % kPage;
    const auto it = page_from(key);
    return it != pages_.end() && it->key == key ? it->first + number % kPage : kNone;
  }
  // the place of a number, made when it is new
  std::size_t add(std::uint64_t number) {
    if (const std::size_t place = find(number); place != kNone) return place;
    const std::uint64_t key = number / kPage;
    const std::size_t first = n_places();
    pages_.insert(page_from(key), {key, first});
    return first + number % kPage;
  }
  std::size_t n_places() const { return pages_.size() * kPage; }
  // f(number, place), the lowest number first; all of a page, whether added or not
  template <class F> void each(F&& f) const {
    for (const Page& page : pages_)
      for (std::size_t k = 0; k < kPage; ++k) f(page.key * kPage + k, page.first + k);
  }
  // the same for numbers from `first` up to, and without, `end`
  template <class F> void each_between(std::uint64_t first, std::uint64_t end, F&& f) const {
    for (auto it = page_from(first / kPage); it != pages_.end() && it->key * kPage < end; ++it)
      for (std::uint64_t n = std::max(first, it->key * kPage); n < std::min(end, (it->key + 1) * kPage); ++n) f(n, it->first + n % kPage);
  }
  // f(number, place) for numbers below `end`, the highest first, until it returns true
  template <class F> void each_down(std::uint64_t end, F&& f) const {
    for (auto it = page_from((end + kPage - 1) / kPage); it != pages_.begin();) {
      --it;
      for (std::size_t k = kPage; k-- > 0;)
        if (const std::uint64_t number = it->key * kPage + k; number < end && f(number, it->first + k)) return;
    }
  }

 private:
  static constexpr std::uint64_t kPage = 64;
  struct Page {
    std::uint64_t key;
    std::size_t first;
  };
  std::vector<Page>::const_iterator page_from(std::uint64_t key) const {
    return std::lower_bound(pages_.begin(), pages_.end(), key, [](const Page& p, std::uint64_t k) { return p.key < k; });
  }
  std::vector<Page> pages_;  // by key
};

}  // namespace volary::engine
