// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of Python that steer a flock, estimate its states or give readings of its own sensors: each is a source of the runner, called once per tick for the
// whole flock. What it returns becomes one bulk input, so a recording of the run needs no Python to fly it again.
#include <algorithm>

#include "bindings.hpp"
#include "controller.hpp"
#include "engine/payloads.hpp"
#include "faults.hpp"

namespace volary::python {

namespace {

const FlockDef& flock_of(const Flight& f, const std::string& name) {
  for (const FlockDef& flock : f.world().def().flocks)
    if (flock.name == name) return flock;
  unknown("flock", name, f.world().flocks());
}

std::size_t add(Flight& f, const std::string& flock, Controller::Given given, std::uint64_t every, nb::handle function) {
  if (every == 0) throw std::invalid_argument("every: 0 ticks: a function is called every tick (1) or less often");
  auto c = std::make_shared<Controller>(flock, std::move(given), every, function.ptr());
  const std::size_t key = reinterpret_cast<std::size_t>(c.get());
  f.controllers.push_back(c);
  f.add(std::move(c));
  return key;
}

std::size_t add_controller(Flight& f, const std::string& flock, const std::string& level, std::uint64_t every, nb::handle function) {
  (void)flock_of(f, flock);
  const auto words = names(ControlLevel{});
  const auto it = std::find(words.begin(), words.end(), level);
  if (it == words.end()) unknown("control level", level, {words.begin(), words.end()});
  return add(f, flock, {static_cast<Many>(it - words.begin())}, every, function);
}

std::size_t add_estimator(Flight& f, const std::string& flock, std::uint64_t every, nb::handle function) {
  if (flock_of(f, flock).estimator.kind != EstimatorKind::Outside)
    throw std::invalid_argument("estimator: flock '" + flock +
                                "' takes no estimate from outside: write estimator: {kind: outside} in the scenario, and sensors with an imu");
  return add(f, flock, {Many::Estimate}, every, function);
}

std::size_t add_sensor(Flight& f, const std::string& flock, const std::string& name, int size, std::uint64_t every, nb::handle function) {
  const std::vector<OwnSensorDef>& own = flock_of(f, flock).sensors.own;
  const std::string declaration = "sensors: {own: [{name: " + name + ", size: " + std::to_string(size) + "}]}";
  const auto at = std::find_if(own.begin(), own.end(), [&](const OwnSensorDef& s) { return s.name == name; });
  if (own.empty()) throw std::invalid_argument("sensor: flock '" + flock + "' has no own sensors: write " + declaration + " in the scenario");
  if (at == own.end()) {
    std::vector<std::string> known;
    for (const OwnSensorDef& s : own) known.push_back(s.name);
    unknown("own sensor of flock '" + flock + "'", name, known);
  }
  if (at->size != size)
    throw std::invalid_argument("sensor: a reading of '" + name + "' has " + std::to_string(at->size) + " number(s) in the scenario, and " +
                                std::to_string(size) + " here: make them equal, as in " + declaration);
  return add(f, flock, {Many::Reading, name}, every, function);
}

void remove_controller(Flight& f, std::size_t key) {
  std::erase_if(f.controllers, [&](const auto& c) { return reinterpret_cast<std::size_t>(c.get()) == key; });
  f.remove(reinterpret_cast<const runner::Source*>(key));
}

}  // namespace

std::string Controller::name() const {
  if (given_.what == Many::Reading) return "the sensor '" + given_.sensor + "' of flock '" + flock_ + "'";
  return (given_.what == Many::Estimate ? "the estimator of flock '" : "the controller of flock '") + flock_ + "'";
}

core::Status Controller::give(const World& world, std::vector<Input>& inputs) {
  if (world.tick() % every_ != 0) return core::ok();
  nb::gil_scoped_acquire held;
  try {
    const nb::object result = nb::borrow(function_)();
    if (result.is_none()) return core::ok();
    const auto [values, ids] = nb::cast<std::pair<Values, std::vector<std::uint64_t>>>(result);
    SetMany many{.what = given_.what, .flock = flock_, .parameter = given_.sensor, .values = columns_of(values)};
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
  m.def("add_estimator", &add_estimator, "world"_a, "flock"_a, "every"_a, "function"_a);
  m.def("add_sensor", &add_sensor, "world"_a, "flock"_a, "name"_a, "size"_a, "every"_a, "function"_a);
  m.def("remove_controller", &remove_controller, "world"_a, "key"_a);
}

}  // namespace volary::python
