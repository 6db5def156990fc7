// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of the module volary._core, one file each, and what they share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "core/suggest.hpp"
#include "engine/payloads.hpp"
#include "volary/world.hpp"

namespace volary::python {

namespace nb = nanobind;
using namespace nb::literals;

void add_definitions(nb::module_& m);
void add_worlds(nb::module_& m);
void add_controllers(nb::module_& m);
void add_recordings(nb::module_& m);
void add_episodes(nb::module_& m);
void add_pages(nb::module_& m);
void add_program(nb::module_& m);

// what a user named wrongly, with what is near
[[noreturn]] inline void unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string meant = core::did_you_mean(word, known);
  throw std::invalid_argument("there is no " + what + " '" + word + "'" + (meant.empty() ? "" : " (" + meant + ")"));
}

// rows of vehicles as the columns that SetMany takes
using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
inline std::vector<double> columns_of(const Values& rows) {
  const std::size_t n = rows.shape(0), numbers = rows.shape(1);
  std::vector<double> columns(n * numbers);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < numbers; ++k) columns[k * n + i] = rows.data()[i * numbers + k];
  return columns;
}

// a name of an enum with names(E)
template <class E> E parse_word(const char* what, const std::string& word) {
  const auto words = names(E{});
  for (std::size_t k = 0; k < words.size(); ++k)
    if (word == words[k]) return static_cast<E>(k);
  unknown(what, word, {words.begin(), words.end()});
}

}  // namespace volary::python
