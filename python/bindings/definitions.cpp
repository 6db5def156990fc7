// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plain records of the public API as read-only objects of Python.
#include "bindings.hpp"
#include "volary/recording.hpp"

namespace volary::python {

namespace {

std::string text_of(const Event& e) {
  return "Event(tick=" + std::to_string(e.tick) + ", " + (e.name.empty() ? "" : "name='" + e.name + "', ") + "what='" + e.what + "')";
}
std::string text_of(const ColumnDoc& c) { return "Column('" + c.name + "', unit='" + c.unit + "', components=" + std::to_string(c.components) + ")"; }
std::string text_of(const TaskStanding& t) { return "Task('" + t.name + "', state='" + t.state + "', detail='" + t.detail + "')"; }

}  // namespace

void add_definitions(nb::module_& m) {
  nb::class_<Event>(m, "Event", "Something that happened in a tick.")
      .def_ro("tick", &Event::tick)
      .def_prop_ro("vehicle", [](const Event& e) { return e.vehicle ? std::optional(e.vehicle.value) : std::nullopt; }, "id of the vehicle; None: the event belongs to none")
      .def_ro("name", &Event::name, "name of the vehicle")
      .def_ro("what", &Event::what, "text of the event, such as 'landed'")
      .def_prop_ro("world", [](const Event& e) { return e.world == kEveryWorld ? std::optional<std::uint32_t>() : std::optional(e.world); },
                   "index of the world in the batch; None: the event belongs to no single world")
      .def("__repr__", [](const Event& e) { return text_of(e); });

  nb::class_<ColumnDoc>(m, "Column", "Name, unit, frame and description of a column or a parameter.")
      .def_ro("name", &ColumnDoc::name)
      .def_ro("unit", &ColumnDoc::unit)
      .def_ro("frame", &ColumnDoc::frame)
      .def_ro("doc", &ColumnDoc::doc)
      .def_ro("components", &ColumnDoc::components)
      .def("__repr__", [](const ColumnDoc& c) { return text_of(c); });

  nb::class_<TaskStanding>(m, "Task", "The state of a task of the mission.")
      .def_ro("name", &TaskStanding::name)
      .def_ro("required", &TaskStanding::required)
      .def_ro("state", &TaskStanding::state, "'open', 'holding', 'done' or 'failed'")
      .def_ro("since", &TaskStanding::since, "tick at which this state began")
      .def_ro("detail", &TaskStanding::detail)
      .def("__repr__", [](const TaskStanding& t) { return text_of(t); });

  nb::class_<SwarmReport>(m, "SwarmReport", "Metrics of the swarm as a whole; None where a metric was never sampled.")
      .def_ro("samples", &SwarmReport::samples)
      .def_ro("age_mean", &SwarmReport::age_mean)
      .def_ro("age_max", &SwarmReport::age_max)
      .def_ro("components_mean", &SwarmReport::components_mean)
      .def_ro("components_max", &SwarmReport::components_max)
      .def_ro("largest_share_mean", &SwarmReport::largest_share_mean)
      .def_ro("largest_share_min", &SwarmReport::largest_share_min)
      .def_ro("algebraic_connectivity", &SwarmReport::algebraic_connectivity)
      .def_ro("delivery_ratio", &SwarmReport::delivery_ratio)
      .def_ro("worst_delivery_ratio", &SwarmReport::worst_delivery_ratio)
      .def_ro("nearest", &SwarmReport::nearest)
      .def_ro("nearest_time", &SwarmReport::nearest_time)
      .def_ro("contacts", &SwarmReport::contacts);

  nb::class_<RadioReport> radio(m, "RadioReport", "Counts of all messages by their outcome.");
  nb::class_<RadioReport::Distance>(radio, "Distance", "Outcomes at receivers in a range of distances.")
      .def_ro("start", &RadioReport::Distance::from)
      .def_ro("end", &RadioReport::Distance::to)
      .def_ro("receivers", &RadioReport::Distance::receivers)
      .def_ro("outcomes", &RadioReport::Distance::outcomes);
  radio.def_ro("sent", &RadioReport::sent).def_ro("outcomes", &RadioReport::outcomes).def_ro("by_distance", &RadioReport::by_distance);

  nb::class_<Tracking>(m, "Tracking", "Distances between setpoint and position of the guided vehicles.")
      .def_ro("max", &Tracking::max)
      .def_ro("mean_square", &Tracking::mean_square)
      .def_ro("samples", &Tracking::samples);

  nb::class_<AirSample>(m, "AirSample", "The air at a position.")
      .def_ro("wind", &AirSample::wind_W, "m/s, world frame")
      .def_ro("density", &AirSample::density, "kg/m3")
      .def_ro("temperature", &AirSample::temperature, "K")
      .def_ro("pressure", &AirSample::pressure, "Pa")
      .def_ro("magnetic", &AirSample::magnetic_W, "nT, world frame; zeros where the world has no place on the Earth");

  nb::class_<RecordOptions>(m, "RecordOptions", "Contents and limits of a recording.")
      .def(nb::init<>())
      .def_rw("trajectories", &RecordOptions::trajectories)
      .def_rw("position_error", &RecordOptions::position_error)
      .def_rw("velocity_error", &RecordOptions::velocity_error)
      .def_rw("attitude_error", &RecordOptions::attitude_error)
      .def_rw("checkpoint_interval", &RecordOptions::checkpoint_interval)
      .def_rw("max_bytes", &RecordOptions::max_bytes);
}

}  // namespace volary::python
