// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/tracks.hpp"

#include "engine/bulk.hpp"
#include "engine/data.hpp"
#include "logs/track.hpp"
#include "math/functions.hpp"
#include "math/vec.hpp"

namespace volary::engine {

namespace {

// A mirror moves on by a tick from what it was told (MirrorProgram::moved). It is told where it would have come from, so that
// after the tick it is where the log has it.
SetState set_back(SetState s, double seconds) {
  using math::Quat, math::Vec3;
  for (std::size_t k = 0; k < 3; ++k) s.position_W[k] -= seconds * s.velocity_W[k];
  const Vec3<double> half = (-0.5 * seconds) * Vec3<double>{s.omega_B[0], s.omega_B[1], s.omega_B[2]};
  const double angle = math::norm(half), scale = angle > 1e-6 ? math::sin(angle) / angle : 1;
  const Quat<double> q = math::normalize(Quat<double>{s.attitude[0], s.attitude[1], s.attitude[2], s.attitude[3]} *
                                         Quat<double>{math::cos(angle), scale * half.x, scale * half.y, scale * half.z});
  s.attitude = {q.w, q.x, q.y, q.z};
  return s;
}

void follow(Data& d, Flock& f, std::size_t slot, const logs::Track& track) {
  const double tick = static_cast<double>(d.def.tick_ns) * 1e-9;
  const auto n = static_cast<double>(tick_of_world(d, f.worlds[slot]));
  const double from = n * tick, to = (n + 1) * tick;
  write_state(f, slot, set_back(logs::state_at(track, to), tick));
  f.patches.front().mode(slot, logs::mode_at(track, to));
  for (const logs::Note* note : logs::notes_between(track, from, to)) add_event(d, f.ids[slot], f.names[slot], note->text);
}

}  // namespace

void follow_tracks(Data& d) {
  for (Flock& f : d.flocks) {
    if (f.def.tracks.empty()) continue;
    for (std::size_t slot = 0; slot < f.slots; ++slot) {
      const VehicleId id = f.ids[slot];
      if (!id || locate(d, id) == nullptr || d.interaction.is_detached(id)) continue;
      const std::uint64_t place = f.place_of(slot);
      if (place >= 1 && place <= f.def.tracks.size()) follow(d, f, slot, *f.def.tracks[place - 1]);
    }
  }
}

}  // namespace volary::engine
