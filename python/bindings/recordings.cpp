// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary._core.Recording: what volary.open() (volary/recording.py) is made on.
#include <algorithm>
#include <tuple>

#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "volary/recording.hpp"

namespace volary::python {

namespace {

// an array of NumPy that owns its memory
template <class T> nb::ndarray<nb::numpy, T> own(std::vector<T>&& values, std::size_t components) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[2] = {components == 0 ? 0 : kept->size() / components, components};
  return nb::ndarray<nb::numpy, T>(kept->data(), components == 1 ? 1 : 2, shape, owner);
}

template <class T> T take(Loaded<T>&& loaded) {
  if (!loaded) throw std::invalid_argument(loaded.error);
  return std::move(*loaded.value);
}

nb::list tables_of(const Recording& r, const std::vector<std::string>& names, double rate, int threads, bool allow_plugins) {
  std::vector<RecordedTable> tables;
  {
    nb::gil_scoped_release released;
    tables = take(r.columns(names, rate, {.threads = threads, .allow_plugins = allow_plugins}));
  }
  nb::list list;
  for (RecordedTable& t : tables) {
    nb::dict columns;
    std::vector<std::uint64_t> vehicle(t.vehicle.begin(), t.vehicle.end());
    for (std::size_t c = 0; c < t.columns.size(); ++c) columns[t.columns[c].name.c_str()] = own(std::move(t.values[c]), static_cast<std::size_t>(t.columns[c].components));
    list.append(nb::make_tuple(t.flock, own(std::move(t.tick), 1), own(std::move(vehicle), 1), columns, t.columns));
  }
  return list;
}

// vehicle indices, positions, velocities, attitudes, modes (-1: not recorded) at a time
nb::tuple poses_of(const Recording& r, double time) {
  const std::vector<RecordedPose> poses = take(r.poses(time));
  std::vector<std::uint64_t> vehicle;
  std::vector<double> position, velocity, attitude;
  std::vector<std::int64_t> mode;
  for (const RecordedPose& p : poses) {
    vehicle.push_back(p.vehicle);
    position.insert(position.end(), p.position_W.begin(), p.position_W.end());
    velocity.insert(velocity.end(), p.velocity_W.begin(), p.velocity_W.end());
    attitude.insert(attitude.end(), p.attitude_WB.begin(), p.attitude_WB.end());
    mode.push_back(p.mode ? static_cast<std::int64_t>(*p.mode) : -1);
  }
  return nb::make_tuple(own(std::move(vehicle), 1), own(std::move(position), 3), own(std::move(velocity), 3), own(std::move(attitude), 4), own(std::move(mode), 1));
}

std::uint64_t export_recording(const Recording& r, const std::string& format, const std::string& path, double rate, bool trajectories,
                               const std::vector<std::string>& columns, int threads, bool allow_plugins) {
  static const std::vector<std::string> kFormats = {"csv", "npz", "mcap", "tum", "kml", "html", "ulog"};
  const auto it = std::find(kFormats.begin(), kFormats.end(), format);
  if (it == kFormats.end()) unknown("format", format, kFormats);
  const ExportOptions options{.replay = {.threads = threads, .allow_plugins = allow_plugins}, .rate = rate, .trajectories = trajectories, .columns = columns};
  nb::gil_scoped_release released;
  return take(r.export_to(static_cast<ExportFormat>(it - kFormats.begin()), path, options)).bytes;
}

}  // namespace

void add_recordings(nb::module_& m) {
  nb::class_<RecordingInfo>(m, "RecordingInfo", "The head of a recording, and its state.")
      .def_ro("path", &RecordingInfo::path)
      .def_ro("program", &RecordingInfo::program)
      .def_ro("scenario", &RecordingInfo::scenario)
      .def_ro("description", &RecordingInfo::description)
      .def_ro("seed", &RecordingInfo::seed)
      .def_prop_ro("tick_length", [](const RecordingInfo& i) { return static_cast<double>(i.tick_ns) * 1e-9; }, "s")
      .def_ro("first_tick", &RecordingInfo::first_tick)
      .def_ro("last_tick", &RecordingInfo::last_tick)
      .def_ro("worlds", &RecordingInfo::worlds)
      .def_ro("flocks", &RecordingInfo::flocks)
      .def_ro("closed", &RecordingInfo::closed)
      .def_ro("damaged", &RecordingInfo::damaged)
      .def_ro("problems", &RecordingInfo::problems)
      .def_ro("has_trajectories", &RecordingInfo::has_trajectories)
      .def_ro("position_error", &RecordingInfo::position_error)
      .def_ro("velocity_error", &RecordingInfo::velocity_error)
      .def_ro("attitude_error", &RecordingInfo::attitude_error)
      .def_ro("verdict", &RecordingInfo::verdict)
      .def_ro("reason", &RecordingInfo::reason);

  nb::class_<RecordedVehicle>(m, "RecordedVehicle", "A vehicle of a recording.")
      .def_prop_ro("id", [](const RecordedVehicle& v) { return v.id.value; })
      .def_ro("name", &RecordedVehicle::name)
      .def_ro("flock", &RecordedVehicle::flock)
      .def_ro("world", &RecordedVehicle::world)
      .def_ro("spawn_tick", &RecordedVehicle::spawn_tick)
      .def_ro("removal_tick", &RecordedVehicle::removal_tick)
      .def("__repr__", [](const RecordedVehicle& v) { return "RecordedVehicle('" + v.name + "', flock='" + v.flock + "')"; });

  nb::class_<RecordingCheck>(m, "RecordingCheck", "The result of flying a recording again.")
      .def_ro("exact", &RecordingCheck::exact, "every tick was compared and none differs")
      .def_ro("compared", &RecordingCheck::compared)
      .def_ro("skipped", &RecordingCheck::skipped)
      .def_ro("difference", &RecordingCheck::difference, "first tick that differs")
      .def_ro("notes", &RecordingCheck::notes);

  nb::class_<Recording>(m, "Recording")
      .def_static(
          "open",
          [](const std::string& path) {
            std::string error;
            auto r = Recording::open(path, &error);
            if (r == nullptr) throw std::invalid_argument(error);
            return r;
          },
          "path"_a)
      .def_prop_ro("info", [](const Recording& r) { return r.info(); })
      .def_prop_ro("vehicles", [](const Recording& r) { return r.vehicles(); })
      .def_prop_ro("events", [](const Recording& r) { return r.events(); })
      .def("metrics", [](const Recording& r) {
        std::vector<std::tuple<std::uint64_t, std::string, double, std::string>> list;
        for (const RecordedMetric& x : r.metrics()) list.emplace_back(x.tick, x.name, x.value, x.unit);
        return list;
      })
      .def("hash", &Recording::hash, "tick"_a)
      .def("poses", &poses_of, "time"_a, nb::sig("def poses(self, time: float) -> tuple[typing.Any, ...]"))
      .def("tables", &tables_of, "names"_a, "rate"_a, "threads"_a, "allow_plugins"_a,
           nb::sig("def tables(self, names: collections.abc.Sequence[str], rate: float, threads: int, allow_plugins: bool) -> list[typing.Any]"))
      .def(
          "verify",
          [](const Recording& r, int threads, bool allow_plugins) {
            nb::gil_scoped_release released;
            return take(r.verify({.threads = threads, .allow_plugins = allow_plugins}));
          },
          "threads"_a, "allow_plugins"_a)
      .def("export_to", &export_recording, "format"_a, "path"_a, "rate"_a, "trajectories"_a, "columns"_a, "threads"_a, "allow_plugins"_a);
}

}  // namespace volary::python
