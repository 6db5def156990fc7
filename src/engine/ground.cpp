// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ground.hpp"

#include "control/guide.hpp"
#include "environment/terrain.hpp"

namespace volary::engine {

namespace {

// rows of the parameters that describe the ground; none for a model that does not touch it
struct GroundRows {
  int ground = -1, anchor_x = -1, anchor_y = -1, normal = -1;
};
GroundRows ground_rows(const Flock& f) {
  auto row = [&](const char* name) {
    const ColumnInfo* c = f.find_param(name);
    return c == nullptr ? -1 : c->row;
  };
  return {row("contact.ground"), row("contact.anchor_x"), row("contact.anchor_y"), row("contact.normal")};
}

struct Job {
  Flock* flock;
  const terrain::Terrain* terrain;
  Override* columns[6];
  int parts;
};

void sample_part(void* context, int part) {
  const Job& job = *static_cast<const Job*>(context);
  const Flock& f = *job.flock;
  const ColumnInfo& position = *f.find_column("position");
  const std::size_t n = f.slots, parts = static_cast<std::size_t>(job.parts), p = static_cast<std::size_t>(part);
  for (std::size_t s = n * p / parts; s < n * (p + 1) / parts; ++s) {
    if ((f.status(s) & control::kAlive) == 0) continue;
    // the anchor is the stored value itself, so that what is left of the way to it is exact
    const double x = f.value(s, position.row), y = f.value(s, position.row + 1);
    const terrain::Point normal = job.terrain->normal(x, y);
    const double rows[6] = {job.terrain->height(x, y), x, y, normal[0], normal[1], normal[2]};
    for (std::size_t k = 0; k < 6; ++k) job.columns[k]->set(s, f.bytes, rows[k]);
  }
}

}  // namespace

void sample_ground(Data& d) {
  const terrain::Terrain* terrain = d.def.environment.terrain.get();
  if (terrain == nullptr || !d.def.environment.ground) return;
  for (Flock& f : d.flocks) {
    const GroundRows rows = ground_rows(f);
    if (f.def.mirror || f.slots == 0 || rows.ground < 0) continue;
    const int wanted[6] = {rows.ground, rows.anchor_x, rows.anchor_y, rows.normal, rows.normal + 1, rows.normal + 2};
    for (const int row : wanted) f.own_column(row);  // all of them before any address is taken
    Job job{&f, terrain, {}, d.pool->size()};
    for (std::size_t k = 0; k < 6; ++k) job.columns[k] = &f.own_column(wanted[k]);
    d.pool->run(sample_part, &job);
  }
}

Local::Local(const Flock& f, const Vec& p) : flock(f) {
  const terrain::Terrain* terrain = f.setup.environment.terrain.get();
  if (terrain == nullptr || !f.setup.environment.ground) return;
  own_setup = f.setup;
  own_params = f.param_values;
  own_setup->environment.ground_height = terrain->height(p[0], p[1]);
  if (const GroundRows rows = ground_rows(f); rows.ground >= 0) own_params[static_cast<std::size_t>(rows.ground)] = own_setup->environment.ground_height;
}

}  // namespace volary::engine
