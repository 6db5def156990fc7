// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where every vehicle is that there ever was, by its number.
#pragma once

#include <utility>
#include <vector>

#include "engine/numbers.hpp"

namespace volary::engine {

struct Location {
  std::uint32_t flock = 0;
  std::uint32_t generation = 0;  // 0: nobody has had this number yet
  std::size_t slot = 0;
  bool alive = false;
};

class Locations {
 public:
  // nothing for a number that nobody ever had
  const Location* find(std::uint64_t number) const {
    const std::size_t place = numbers_.find(number);
    return place == Numbers::kNone || list_[place].generation == 0 ? nullptr : &list_[place];
  }
  Location* find(std::uint64_t number) { return const_cast<Location*>(std::as_const(*this).find(number)); }
  Location& add(std::uint64_t number) {
    const std::size_t place = numbers_.add(number);
    list_.resize(numbers_.n_places());
    return list_[place];
  }
  // f(number, location), the lowest number first
  template <class F> void each(F&& f) const {
    numbers_.each([&](std::uint64_t number, std::size_t place) {
      if (list_[place].generation > 0) f(number, list_[place]);
    });
  }
  // the same for numbers from `first` up to, and without, `end`
  template <class F> void each_between(std::uint64_t first, std::uint64_t end, F&& f) const {
    numbers_.each_between(first, end, [&](std::uint64_t number, std::size_t place) {
      if (list_[place].generation > 0) f(number, list_[place]);
    });
  }
  template <class F> void each_between(std::uint64_t first, std::uint64_t end, F&& f) {
    std::as_const(*this).each_between(first, end, [&](std::uint64_t number, const Location& l) { f(number, const_cast<Location&>(l)); });
  }
  // the highest number below `end` that somebody had, or 0
  std::uint64_t highest_below(std::uint64_t end) const {
    std::uint64_t found = 0;
    numbers_.each_down(end, [&](std::uint64_t number, std::size_t place) {
      if (list_[place].generation > 0) found = number;
      return found != 0;
    });
    return found;
  }
  const Numbers& numbers() const { return numbers_; }
  const Location& at(std::size_t place) const { return list_[place]; }

 private:
  Numbers numbers_;
  std::vector<Location> list_;  // by place
};

}  // namespace volary::engine
