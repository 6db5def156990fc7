// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary._core.Episodes: what the environments (volary/envs) are made on. Its arrays are in place; libraries that exchange arrays by DLPack refuse read-only ones, so
// all of them can be written, and what is written to other arrays than the actions is overwritten by the next step.
#include <algorithm>
#include <span>
#include <tuple>

#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "faults.hpp"
#include "flight.hpp"
#include "volary/learning.hpp"

namespace volary::python {

namespace {

struct Task {
  Flight* flight;  // of the world
  std::shared_ptr<World> world;
  std::unique_ptr<Episodes> episodes;
};

template <class T> nb::ndarray<nb::numpy, T> array_of(nb::handle self, std::span<const T> values, std::initializer_list<std::size_t> shape) {
  return nb::ndarray<nb::numpy, T>(const_cast<T*>(values.data()), shape, self);
}

Task& task_of(nb::handle self) { return nb::cast<Task&>(self); }

template <class T, std::span<const T> (Episodes::*Get)() const> auto per_agent() {
  return [](nb::handle_t<Task> self) {
    const Episodes& e = *task_of(self).episodes;
    return array_of<T>(self, (e.*Get)(), {e.worlds(), e.agents()});
  };
}
template <class T, std::span<const T> (Episodes::*Get)() const> auto per_world() {
  return [](nb::handle_t<Task> self) {
    const Episodes& e = *task_of(self).episodes;
    return array_of<T>(self, (e.*Get)(), {e.worlds()});
  };
}
template <std::span<const float> (Episodes::*Get)() const> auto observed() {
  return [](nb::handle_t<Task> self) {
    const Episodes& e = *task_of(self).episodes;
    return array_of<float>(self, (e.*Get)(), {e.worlds(), e.agents(), e.observation_size()});
  };
}

std::vector<std::string> ends_of(const Task& t) {
  std::vector<std::string> names;
  for (const EndDef& e : t.episodes->task().ends) names.push_back(e.term);
  return names;
}

using Mask = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void reset(Task& t, const std::optional<Mask>& mask, const std::optional<Numbers>& episodes) {
  const std::span<const std::uint8_t> chosen = mask ? std::span(mask->data(), mask->size()) : std::span<const std::uint8_t>();
  const std::span<const std::uint32_t> numbers = episodes ? std::span(episodes->data(), episodes->size()) : std::span<const std::uint32_t>();
  const Flight::Guard guard(*t.flight);
  nb::gil_scoped_release released;
  t.episodes->reset(chosen, numbers);
}

void step(Task& t) {
  const Flight::Guard guard(*t.flight);
  t.episodes->step();
  for (const Event& e : t.episodes->take_events()) t.flight->note(e);
}

// one world with one agent, without a pass through arrays of Python: reward, end and cut-off of the step
std::tuple<float, int, bool> step_one(Task& t, const nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>& action) {
  Episodes& e = *t.episodes;
  const std::span<float> to = e.actions();
  if (action.size() != to.size()) throw std::invalid_argument("an action of " + std::to_string(action.size()) + " numbers was given: it has " + std::to_string(to.size()));
  std::copy_n(action.data(), to.size(), to.data());
  step(t);
  return {e.rewards()[0], e.terminated()[0], e.truncated()[0] != 0};
}

}  // namespace

void add_episodes(nb::module_& m) {
  nb::class_<Task>(m, "Episodes")
      .def(
          "__init__",
          [](Task* at, Flight& flight, const std::string& autoreset) {
            static const std::vector<std::string> kModes = {"next_step", "same_step", "disabled"};
            const auto mode = std::find(kModes.begin(), kModes.end(), autoreset);
            if (mode == kModes.end()) unknown("autoreset mode", autoreset, kModes);
            const LearningDef* task = flight.world().def().learning.get();
            if (task == nullptr) throw ScenarioFault(flight.world().def().name + ": the scenario has no section 'learning': it says what agents observe, do and are rewarded for");
            std::string error;
            auto episodes = Episodes::create(flight.hand_over(), *task, static_cast<Autoreset>(mode - kModes.begin()), &error);
            if (episodes == nullptr) throw ScenarioFault(flight.world().def().name + ": " + error);
            new (at) Task{&flight, flight.hand_over(), std::move(episodes)};
          },
          "world"_a, "autoreset"_a, nb::keep_alive<1, 2>())
      .def("step", [](Task& t) {
        nb::gil_scoped_release released;
        step(t);
      })
      .def("step_one", &step_one, "action"_a)
      .def("reset", &reset, "mask"_a = nb::none(), "episodes"_a = nb::none())
      .def_prop_ro("worlds", [](const Task& t) { return t.episodes->worlds(); })
      .def_prop_ro("agents", [](const Task& t) { return t.episodes->agents(); })
      .def_prop_ro("action_size", [](const Task& t) { return t.episodes->action_size(); })
      .def_prop_ro("observation_size", [](const Task& t) { return t.episodes->observation_size(); })
      .def_prop_ro("step_limit", [](const Task& t) { return t.episodes->step_limit(); })
      .def_prop_ro("ticks", [](const Task& t) { return t.episodes->task().ticks; })
      .def_prop_ro("flock", [](const Task& t) { return t.episodes->task().flock; })
      .def_prop_ro("ends", &ends_of, "names of the conditions, in the order of their numbers in `terminated`, from 1")
      .def_prop_ro("terms", [](const Task& t) {
        std::vector<std::tuple<std::string, std::size_t, int, std::string>> list;
        for (const ObservationTerm& o : t.episodes->terms()) list.emplace_back(o.name, o.offset, o.size, o.unit);
        return list;
      }, "name, offset, size and unit of each term of an observation")
      .def_prop_ro("action_low", [](const Task& t) { return t.episodes->action_low(); })
      .def_prop_ro("action_high", [](const Task& t) { return t.episodes->action_high(); })
      .def_prop_ro("actions", [](nb::handle_t<Task> self) {
        const Episodes& e = *task_of(self).episodes;
        return array_of<float>(self, e.actions(), {e.worlds(), e.agents(), e.action_size()});
      })
      .def_prop_ro("observations", observed<&Episodes::observations>())
      .def_prop_ro("final_observations", observed<&Episodes::final_observations>())
      .def_prop_ro("rewards", per_agent<float, &Episodes::rewards>())
      .def_prop_ro("terminated", per_agent<std::uint8_t, &Episodes::terminated>())
      .def_prop_ro("truncated", per_agent<std::uint8_t, &Episodes::truncated>())
      .def_prop_ro("finished", per_world<std::uint8_t, &Episodes::finished>())
      .def_prop_ro("steps", per_world<std::uint32_t, &Episodes::steps>())
      .def_prop_ro("episode_return", per_agent<float, &Episodes::episode_return>())
      .def_prop_ro("episode_length", per_agent<std::uint32_t, &Episodes::episode_length>());

  m.def("observation_terms", [] {
    std::vector<std::tuple<std::string, std::string, int, std::string>> list;
    for (const ObservationTerm& o : observation_terms()) list.emplace_back(o.name, o.unit, o.size, o.doc);
    return list;
  }, "Name, unit, size and meaning of every term that an agent can observe.");
  m.def("reward_terms", [] {
    std::vector<std::tuple<std::string, std::string, std::string>> list;
    for (const RewardTerm& r : reward_terms()) list.emplace_back(r.name, r.unit, r.doc);
    return list;
  }, "Name, unit and meaning of every term of a reward.");
  m.def("end_terms", [] {
    std::vector<std::tuple<std::string, std::string, std::string>> list;
    for (const EndTerm& e : end_terms()) list.emplace_back(e.name, e.limit_unit, e.doc);
    return list;
  }, "Name, unit of the limit and meaning of every condition that ends an episode.");
}

}  // namespace volary::python
