// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary._core.World: what volary.World (volary/world.py) is made on.
#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "faults.hpp"
#include "flight.hpp"
#include "server/payload_json.hpp"

namespace volary::python {

namespace {

using Column = nb::ndarray<nb::numpy, nb::ro>;
using Buffer = nb::ndarray<nb::numpy, float, nb::ndim<3>, nb::c_contig>;
using Mask = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Episodes = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::dlpack::dtype dtype_of(Dtype type) {
  switch (type) {
    case Dtype::Float32: return nb::dtype<float>();
    case Dtype::Float64: return nb::dtype<double>();
    case Dtype::Uint32: return nb::dtype<std::uint32_t>();
    case Dtype::Uint64: break;
  }
  return nb::dtype<std::uint64_t>();
}
std::int64_t size_of(Dtype type) { return type == Dtype::Float32 || type == Dtype::Uint32 ? 4 : 8; }

const char* const kNoColumn = "";  // where a column without rows points to

// the memory belongs to the world, which the array keeps alive
Column frame_column(nb::handle self, const std::string& name) {
  Flight& f = nb::cast<Flight&>(self);
  const FrameView v = f.world().frame(name);
  const std::size_t shape[2] = {v.rows, v.components};
  const void* at = v.pointer == nullptr ? kNoColumn : v.pointer;
  return Column(at, v.components == 1 ? 1 : 2, shape, self, nullptr, dtype_of(v.dtype));
}

Column raw_column(nb::handle self, const std::string& flock, const std::string& name) {
  Flight& f = nb::cast<Flight&>(self);
  const View v = f.world().view(flock, name);
  std::int64_t strides[3];
  for (int k = 0; k < 3; ++k) strides[k] = v.strides[k] / size_of(v.dtype);
  const void* at = v.pointer == nullptr ? kNoColumn : v.pointer;
  return Column(at, 3, v.shape, self, strides, dtype_of(v.dtype));
}

void check_flock(const World& w, const std::string& flock) {
  const std::vector<std::string> known = w.flocks();
  if (std::find(known.begin(), known.end(), flock) == known.end()) unknown("flock", flock, known);
}

VehicleId find_vehicle(const World& w, const std::string& word, std::uint32_t world) {
  const VehicleId id = w.find(word, world);
  if (id) return id;
  std::vector<std::string> known;
  for (const VehicleId v : w.vehicles())
    if (w.world_of(v) == world && known.size() < 10'000) known.push_back(w.name_of(v));
  unknown("vehicle", word, known);
}

VehicleId check_alive(const World& w, std::uint64_t id) {
  if (!w.is_alive({id})) throw InputFault("there is no vehicle " + std::to_string(VehicleId{id}.number()) + " any more, or there never was; World.vehicles() lists those alive");
  return {id};
}

void submit(Flight& f, Input input) {
  const Submitted taken = f.world().submit(std::move(input), Late::Refuse);
  if (!taken) throw InputFault(taken.why);
}

std::uint64_t tick_of(const Flight& f, std::optional<std::uint64_t> tick) { return tick ? *tick : f.world().tick(); }

void submit_fields(Flight& f, const std::string& kind, const std::string& fields, std::optional<std::uint64_t> target, std::optional<std::uint64_t> tick) {
  const core::Result<Payload> payload = server::read_payload(kind, nlohmann::json::parse(fields));
  if (!payload) throw InputFault(kind + ": " + payload.error().text());
  Input in{.tick = tick_of(f, tick), .source = kPythonSource, .payload = payload.value()};
  if (target) in.target = check_alive(f.world(), *target);
  if (const std::string why = f.world().why_not(in); !why.empty() && in.tick == f.world().tick()) throw InputFault(why);
  submit(f, std::move(in));
}

void submit_many(Flight& f, const std::string& what, const std::string& flock, const Values& values, const std::optional<Ids>& ids, const std::string& parameter,
                 int component, std::optional<std::uint64_t> tick) {
  check_flock(f.world(), flock);
  SetMany many{.what = parse_word<Many>("kind of value", what), .flock = flock, .parameter = parameter, .component = component};
  many.values = columns_of(values);
  for (std::size_t k = 0; ids && k < ids->size(); ++k) many.ids.push_back(check_alive(f.world(), ids->data()[k]));
  submit(f, {.tick = tick_of(f, tick), .source = kPythonSource, .payload = std::move(many)});
}

// ticks that were flown; Ctrl-C and other signals are looked at between two ticks
std::uint64_t step(Flight& f, std::uint64_t ticks) {
  std::uint64_t flown = 0;
  std::exception_ptr fault;
  {
    nb::gil_scoped_release released;
    try {
      flown = f.step(ticks, [] {
        nb::gil_scoped_acquire held;
        return PyErr_CheckSignals() != 0;
      });
    } catch (...) {
      fault = std::current_exception();
    }
  }
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  if (fault) rethrow_of(f, fault);
  return flown;
}

// the whole state at one tick
struct Moment {
  std::shared_ptr<const Snapshot> state;
};

Moment read_snapshot(const Flight& f, const nb::bytes& bytes) {
  std::string error;
  auto snapshot = f.world().read_snapshot({static_cast<const std::byte*>(bytes.data()), bytes.size()}, &error);
  if (snapshot == nullptr) throw std::invalid_argument(error);
  return {std::move(snapshot)};
}

nb::bytes bytes_of(const Moment& m) {
  const std::vector<std::byte> b = World::snapshot_bytes(*m.state);
  return nb::bytes(b.data(), b.size());
}

}  // namespace

void add_worlds(nb::module_& m) {
  nb::class_<Moment>(m, "Snapshot", "The whole state of a world at one tick.").def("to_bytes", &bytes_of, "The snapshot as bytes, for a file or another process.");

  nb::class_<Flight>(m, "World")
      .def(
          "__init__",
          [](Flight* at, const std::string& text, const std::string& path, const std::string& folder, const std::vector<std::string>& overrides, int threads, int lanes,
             bool hash_every_tick) {
            const RunOptions options{.threads = threads, .lanes = lanes, .hash_every_tick = hash_every_tick};
            nb::gil_scoped_release released;
            new (at) Flight(Source{text, path, folder, overrides}, options);
          },
          "text"_a, "path"_a, "folder"_a, "overrides"_a, "threads"_a, "lanes"_a, "hash_every_tick"_a)
      .def(
          "__init__",
          [](Flight* at, const Flight& of, int threads) {
            const RunOptions options{.threads = threads, .lanes = of.options().lanes, .hash_every_tick = of.options().hash_every_tick};
            new (at) Flight(of, options);
          },
          "branch_of"_a, "threads"_a)
      .def("step", &step, "ticks"_a = 1)
      .def_prop_ro("tick", [](const Flight& f) { return f.world().tick(); })
      .def_prop_ro("time", [](const Flight& f) { return f.world().time(); })
      .def_prop_ro("planned_ticks", [](const Flight& f) { return planned_ticks(f.world().def()); })
      .def_prop_ro("tick_length", [](const Flight& f) { return static_cast<double>(f.world().def().tick_ns) * 1e-9; })
      .def_prop_ro("name", [](const Flight& f) { return f.world().def().name; })
      .def_prop_ro("seed", [](const Flight& f) { return f.world().def().seed; })
      .def_prop_ro("n_worlds", [](const Flight& f) { return f.world().def().worlds; })
      .def_prop_ro("threads", [](const Flight& f) { return f.options().threads; })
      .def_prop_ro("n_vehicles", [](const Flight& f) { return f.world().n_vehicles(); })
      .def_prop_ro("backend", [](const Flight& f) { return std::string(f.world().backend()); })
      .def("hash", [](const Flight& f) { return f.world().hash(); })
      .def("hash_of_world", [](const Flight& f, std::uint32_t world) { return f.world().hash_of_world(world); }, "world"_a)
      .def("hash_of", [](const Flight& f, std::uint64_t id) { return f.world().hash_of(check_alive(f.world(), id)); }, "vehicle"_a)
      .def("tick_of_world", [](const Flight& f, std::uint32_t world) { return f.world().tick_of_world(world); }, "world"_a)
      .def("episode_of_world", [](const Flight& f, std::uint32_t world) { return f.world().episode_of_world(world); }, "world"_a)
      .def(
          "reset_worlds",
          [](Flight& f, const Mask& mask, const std::optional<Episodes>& episodes) {
            const std::span<const std::uint32_t> list = episodes ? std::span(episodes->data(), episodes->size()) : std::span<const std::uint32_t>();
            nb::gil_scoped_release released;
            f.reset({mask.data(), mask.size()}, list);
          },
          "mask"_a, "episodes"_a.none())

      // vehicles
      .def("flocks", [](const Flight& f) { return f.world().flocks(); })
      .def(
          "vehicles",
          [](const Flight& f, const std::string& flock) {
            if (!flock.empty()) check_flock(f.world(), flock);
            std::vector<std::uint64_t> ids;
            for (const VehicleId id : f.world().vehicles(flock)) ids.push_back(id.value);
            return ids;
          },
          "flock"_a = "")
      .def("find", [](const Flight& f, const std::string& name, std::uint32_t world) { return find_vehicle(f.world(), name, world).value; }, "name"_a, "world"_a = 0)
      .def("name_of", [](const Flight& f, std::uint64_t id) { return f.world().name_of(check_alive(f.world(), id)); }, "vehicle"_a)
      .def("flock_of", [](const Flight& f, std::uint64_t id) { return f.world().flock_of(check_alive(f.world(), id)); }, "vehicle"_a)
      .def("world_of", [](const Flight& f, std::uint64_t id) { return f.world().world_of(check_alive(f.world(), id)); }, "vehicle"_a)
      .def("mode_of", [](const Flight& f, std::uint64_t id) { return std::string(names(Mode{})[static_cast<std::size_t>(f.world().mode_of(check_alive(f.world(), id)))]); },
           "vehicle"_a)
      .def("is_alive", [](const Flight& f, std::uint64_t id) { return f.world().is_alive({id}); }, "vehicle"_a)
      .def("has_crashed", [](const Flight& f, std::uint64_t id) { return f.world().has_crashed({id}); }, "vehicle"_a)

      // columns in place
      .def("keep_views", [](Flight& f) { f.world().keep_views(); })
      .def_static("frame_columns", &World::frame_columns)
      .def("frame_column", [](nb::handle_t<Flight> self, const std::string& column) { return frame_column(self, column); }, "column"_a,
           nb::sig("def frame_column(self, column: str) -> numpy.typing.NDArray[typing.Any]"))
      .def_prop_ro("frame_generation", [](Flight& f) { return f.world().frame_generation(); })
      .def("columns", [](const Flight& f, const std::string& flock) { return check_flock(f.world(), flock), f.world().columns(flock); }, "flock"_a)
      .def("raw_column", [](nb::handle_t<Flight> self, const std::string& flock, const std::string& column) { return raw_column(self, flock, column); }, "flock"_a, "column"_a,
           nb::sig("def raw_column(self, flock: str, column: str) -> numpy.typing.NDArray[typing.Any]"))
      .def("raw_generation", [](const Flight& f, const std::string& flock, const std::string& column) { return f.world().view(flock, column).generation; }, "flock"_a,
           "column"_a)
      .def("slot_of", [](const Flight& f, std::uint64_t id) { return f.world().slot_of(check_alive(f.world(), id)); }, "vehicle"_a)
      .def("parameters", [](const Flight& f, const std::string& flock) { return check_flock(f.world(), flock), f.world().parameters(flock); }, "flock"_a)
      .def(
          "parameter_of",
          [](const Flight& f, std::uint64_t id, const std::string& name, int component) {
            const VehicleId vehicle = check_alive(f.world(), id);
            if (const std::optional<double> x = f.world().parameter_of(vehicle, name, component)) return *x;
            std::vector<std::string> known;
            for (const ColumnDoc& c : f.world().parameters(f.world().flock_of(vehicle))) known.push_back(c.name);
            unknown("parameter", name, known);
          },
          "vehicle"_a, "name"_a, "component"_a = 0)

      // inputs
      .def("submit_fields", &submit_fields, "kind"_a, "fields"_a, "target"_a.none(), "tick"_a.none())
      .def("submit_many", &submit_many, "what"_a, "flock"_a, "values"_a, "ids"_a.none(), "parameter"_a, "component"_a, "tick"_a.none())

      // moments
      .def("snapshot", [](const Flight& f) { return Moment{f.world().snapshot()}; })
      .def(
          "restore", [](Flight& f, const Moment& m) { f.restore(*m.state); }, "snapshot"_a)
      .def("read_snapshot", &read_snapshot, "data"_a)

      // what happened
      .def("take_events", [](Flight& f) { return f.take_events(); })
      .def("tasks", [](const Flight& f, std::optional<std::uint32_t> world) { return world ? f.world().tasks(*world) : f.world().standings(); }, "world"_a = nb::none())
      .def("mission_accomplished", [](const Flight& f, std::uint32_t world) { return f.world().mission_accomplished(world); }, "world"_a = 0)
      .def("swarm_report", [](const Flight& f) { return f.world().swarm_report(); })
      .def("radio_report", [](const Flight& f) { return f.world().radio(); })
      .def("tracking", [](const Flight& f) { return f.world().tracking(); })
      .def("air_at", [](const Flight& f, const Vec& position, std::uint32_t world) { return f.world().air_at(position, world); }, "position"_a, "world"_a = 0)
      .def("stimulus_at", [](const Flight& f, const std::string& kind, const Vec& position, std::uint32_t world) { return f.world().stimulus_at(kind, position, world); },
           "kind"_a, "position"_a, "world"_a = 0)

      // recording
      .def("start_recording", &Flight::record, "path"_a, "options"_a)
      .def("stop_recording", [](Flight& f) {
        nb::gil_scoped_release released;
        f.stop_recording();
      })
      .def_prop_ro("is_recording", &Flight::is_recording)
      .def("record_metric", [](Flight& f, const std::string& name, double value, const std::string& unit) {
        if (!f.is_recording()) throw std::invalid_argument("the world is not recorded: call record(path) first");
        f.recorder()->metric(f.world().tick(), name, value, unit);
      });
}

}  // namespace volary::python
