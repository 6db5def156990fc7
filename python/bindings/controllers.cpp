// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of Python that steer a flock: each is a source of the runner, called once per tick for the whole flock. What it returns becomes one bulk input, so a
// recording of the run needs no Python to fly it again.
#include <algorithm>

#include "bindings.hpp"
#include "controller.hpp"
#include "engine/payloads.hpp"
#include "faults.hpp"

namespace volary::python {

namespace {

std::size_t add_controller(Flight& f, const std::string& flock, const std::string& level, std::uint64_t every, nb::handle function) {
  const std::vector<std::string> known = f.world().flocks();
  if (std::find(known.begin(), known.end(), flock) == known.end()) unknown("flock", flock, known);
  if (every == 0) throw std::invalid_argument("every: 0 ticks: a controller is called every tick (1) or less often");
  const auto words = names(ControlLevel{});
  const auto it = std::find(words.begin(), words.end(), level);
  if (it == words.end()) unknown("control level", level, {words.begin(), words.end()});
  auto c = std::make_shared<Controller>(flock, static_cast<Many>(it - words.begin()), every, function.ptr());
  const std::size_t key = reinterpret_cast<std::size_t>(c.get());
  f.controllers.push_back(c);
  f.add(std::move(c));
  return key;
}

void remove_controller(Flight& f, std::size_t key) {
  std::erase_if(f.controllers, [&](const auto& c) { return reinterpret_cast<std::size_t>(c.get()) == key; });
  f.remove(reinterpret_cast<const runner::Source*>(key));
}

}  // namespace

core::Status Controller::give(const World& world, std::vector<Input>& inputs) {
  if (world.tick() % every_ != 0) return core::ok();
  nb::gil_scoped_acquire held;
  try {
    const nb::object result = nb::borrow(function_)();
    if (result.is_none()) return core::ok();
    const auto [values, ids] = nb::cast<std::pair<Values, std::vector<std::uint64_t>>>(result);
    SetMany many{.what = level_, .flock = flock_, .values = columns_of(values)};
    for (const std::uint64_t id : ids) many.ids.push_back({id});
    inputs.push_back({.tick = world.tick(), .source = kPythonSource, .payload = std::move(many)});
  } catch (...) {
    failure = std::current_exception();
    return core::Error{.message = "it raised an exception"};
  }
  return core::ok();
}

core::Status Controller::refused(const Input&, const std::string& why) { return core::Error{.message = why}; }

void rethrow_of(Flight& flight, const std::exception_ptr& fault) {
  for (const auto& c : flight.controllers)
    if (c->failure) std::rethrow_exception(std::exchange(c->failure, nullptr));
  std::rethrow_exception(fault);
}

void add_controllers(nb::module_& m) {
  m.def("add_controller", &add_controller, "world"_a, "flock"_a, "level"_a, "every"_a, "function"_a);
  m.def("remove_controller", &remove_controller, "world"_a, "key"_a);
}

}  // namespace volary::python
