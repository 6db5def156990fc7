// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// parity SCENARIO...: steps every flock of the scenarios on this CPU and on a GPU from the same first state and
// counts the values whose bits differ. Only the sweep is compared: what is worked out between vehicles (radio, decisions, contact) and
// the ground below each of them is the CPU's, and a wind field from a file is left out. Sensors and estimators are compared where nothing is in their way. Exit 0: none differ; 1: some do; 3: there is no GPU, which is no pass.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/parity.hpp"
#include "scenario/load.hpp"
#include "vehicles/model.hpp"

using namespace volary;

namespace {

// events come from outside the kernels: leave them out, and let every flock be one launch per tick
struct Prepared {
  std::vector<std::byte> params, sense_params;
  engine::SenseArgs sensing;
};
std::vector<std::byte> as_scalars(const std::vector<double>& values, int bytes) {
  std::vector<std::byte> out(values.size() * static_cast<std::size_t>(bytes));
  for (std::size_t k = 0; k < values.size(); ++k) engine::write_scalar(out.data() + k * static_cast<std::size_t>(bytes), bytes, values[k]);
  return out;
}
engine::GpuFlock describe(engine::Flock& f, const engine::Data& d, const std::vector<std::byte>& earths, int ticks, Prepared& prepared) {
  std::vector<std::byte>& params = prepared.params = as_scalars(f.param_values, f.bytes);
  engine::SweepArgs args = f.sweep_args();
  const engine::PathArrays paths = d.paths.arrays(f.bytes);
  args.path_headers = paths.headers;
  args.path_pieces = paths.pieces;
  args.tick = d.tick;
  args.gust_interval = static_cast<std::uint32_t>(engine::gust_interval(f.setup.tick));
  const std::size_t size = static_cast<std::size_t>(f.bytes);
  engine::GpuFlock g = {f.model->name,
          f.program->name,
          f.bytes,
          args,
          f.hot.data(),
          f.guided() ? f.plan.data() : nullptr,
          f.identity.data(),
          params.data(),
          f.hot.size(),
          f.guided() ? f.plan.size() : 0,
          f.identity.size(),
          params.size(),
          d.paths.headers8.size() * size,
          d.paths.pieces8.size() * size,
          f.tables.size(),
          f.capacity,
          earths.data(),
          earths.size() / static_cast<std::size_t>(ticks),
          d.weather.is_on ? engine::air_args(d, f) : engine::AirArgs{},
          d.weather.made.size() > 1 ? f.slots * sizeof(std::uint32_t) : 0,
          static_cast<double>(d.def.tick_ns) * 1e-9};
  g.fault_bytes = f.fault_rows.size(), g.sense_fault_bytes = f.sense_faults.size();
  if (f.senses == nullptr) return g;
  prepared.sense_params = as_scalars(f.senses->param_values, f.bytes);
  prepared.sensing = f.senses->args(f);
  prepared.sensing.params = prepared.sense_params.data();
  g.sensing = &prepared.sensing;
  g.senses_bytes = f.senses->rows.size(), g.sense_params_bytes = prepared.sense_params.size(), g.site_bytes = f.senses->site.size();
  return g;
}

// the air of every tick to come
std::vector<std::byte> earths_of(engine::Data& d, int ticks) {
  std::vector<std::byte> all;
  const std::uint64_t start = d.tick;
  const std::vector<Vec> drift = d.weather.drift_W;
  for (int k = 0; d.weather.is_on && k < ticks; ++k) {
    engine::carry_air(d);
    const bool small = d.def.precision == Precision::Float;
    const auto* from = small ? reinterpret_cast<const std::byte*>(d.weather.now4.data()) : reinterpret_cast<const std::byte*>(d.weather.now8.data());
    all.insert(all.end(), from, from + d.weather.made.size() * (small ? sizeof(d.weather.now4[0]) : sizeof(d.weather.now8[0])));
    d.tick += 1;
  }
  d.tick = start;
  d.weather.drift_W = drift;
  return all;
}

struct Count {
  std::size_t values = 0, differ = 0;
  std::string first;  // name of a column with values that differ
};

// the column that has a row of the hot record
std::string name_of(const engine::Flock& f, int row) {
  for (const auto& c : f.program->hot)
    if (row >= c.row && row < c.row + c.rows) return c.name;
  return "row " + std::to_string(row);
}

// compares the rows of the vehicles, not of padding lanes
void compare(const engine::Flock& a, const engine::Flock& b, Count& c) {
  const std::size_t size = static_cast<std::size_t>(a.bytes);
  for (std::size_t s = 0; s < a.slots; ++s)
    for (int r = 0; r < a.kernel->hot_rows; ++r) {
      ++c.values;
      if (std::memcmp(a.row(s, r), b.row(s, r), size) == 0) continue;
      ++c.differ;
      if (c.first.empty()) c.first = name_of(a, r);
    }
  for (std::size_t s = 0; a.senses != nullptr && s < a.slots; ++s)
    for (int r = 0; r < a.senses->layout.rows; ++r) {
      const std::size_t at = engine::element_offset(s, a.senses->layout.rows, r, a.bytes);
      ++c.values;
      if (std::memcmp(a.senses->rows.data() + at, b.senses->rows.data() + at, size) == 0) continue;
      ++c.differ;
      if (c.first.empty()) c.first = "row " + std::to_string(r) + " of its sensors";
    }
}

// every third vehicle has faults of what it has
void break_some(engine::Data& d) {
  const SetFault all[] = {{.component = "rotor[0]", .kind = FaultKind::Scale, .amount = {0.97, 0, 0}},
                          {.component = "surface[1]", .kind = FaultKind::Bias, .amount = {0.02, 0, 0}},
                          {.component = "steering", .kind = FaultKind::Bias, .amount = {0.02, 0, 0}},
                          {.component = "imu.gyro", .kind = FaultKind::Noise, .amount = {0.01, 0, 0}},
                          {.component = "imu.accelerometer", .kind = FaultKind::DropOut, .probability = 0.1},
                          {.component = "gnss", .kind = FaultKind::Noise, .amount = {0.5, 0, 0}},
                          {.component = "barometer", .kind = FaultKind::Stuck},
                          {.component = "magnetometer", .kind = FaultKind::DropOut, .probability = 0.3},
                          {.component = "estimator", .kind = FaultKind::Noise, .amount = {0.1, 0, 0}}};
  for (engine::Flock& f : d.flocks)
    for (std::size_t slot = 0; slot < f.slots; slot += 3)
      for (const SetFault& fault : all) engine::apply_fault(d, f, slot, fault);
  engine::follow_faults(d);
}

int run(const char* path, int ticks, bool with_faults, Count& total) {
  auto def = scenario::load_scenario(path, {VOLARY_SOURCE_DIR "/assets"}, {});
  if (!def) return std::fprintf(stderr, "parity: %s\n", def.error().text().c_str()), 2;
  def.value().events.clear();
  def.value().environment.weather.grid = nullptr;
  engine::Data cpu, gpu;
  for (engine::Data* d : {&cpu, &gpu})
    if (const auto s = engine::build(*d, def.value(), {}); !s) return std::fprintf(stderr, "parity: %s\n", s.error().text().c_str()), 2;
  for (engine::Data* d : {&cpu, &gpu})
    for (engine::Flock& f : d->flocks)
      if (f.senses != nullptr) f.senses->looks = false;
  for (engine::Data* d : {&cpu, &gpu})
    if (with_faults) break_some(*d);
  cpu.frame.asked = 0;  // the sweep alone: nobody reads what it would publish
  for (int k = 0; k < ticks; ++k) {
    engine::carry_air(cpu);
    engine::sweep(cpu);
    cpu.tick += 1;
  }
  Count c;
  const std::vector<std::byte> earths = earths_of(gpu, ticks);
  for (std::size_t k = 0; k < gpu.flocks.size(); ++k) {
    if (gpu.flocks[k].joined != nullptr) {
      std::printf("  %s: MuJoCo moves its bodies, on the CPU alone\n", gpu.flocks[k].def.name.c_str());
      continue;
    }
    Prepared prepared;
    if (!engine::gpu_run(describe(gpu.flocks[k], gpu, earths, ticks, prepared), ticks)) return 1;
    Count of;
    compare(cpu.flocks[k], gpu.flocks[k], of);
    std::printf("  %s: %s %s, %zu agents", gpu.flocks[k].def.name.c_str(), cpu.flocks[k].model->name, cpu.flocks[k].program->name, cpu.flocks[k].slots);
    if (of.differ > 0) std::printf("; %zu of %zu values differ, first of %s", of.differ, of.values, of.first.c_str());
    std::printf("\n");
    c.values += of.values, c.differ += of.differ;
  }
  std::printf("%s%s: %zu of %zu values differ after %d ticks\n", path, with_faults ? ", with faults" : "", c.differ, c.values, ticks);
  total.values += c.values;
  total.differ += c.differ;
  return c.differ == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = engine::gpu_name();
  if (name == nullptr) {
    std::fprintf(stderr, "parity: no GPU here: nothing was compared\n");
    return 3;
  }
  int rc = 0;
  Count total;
  for (int k = 1; k < argc; ++k)
    for (const bool with_faults : {false, true})
      if (const int r = run(argv[k], 300, with_faults, total); r != 0) rc = r;
  std::printf("%s: %zu of %zu values differ\n", name, total.differ, total.values);
  return rc;
}
