// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks whose vehicles are several bodies, joined to each other, that touch things or carry loads: MuJoCo moves the bodies (room multibody), and everything else is as
// in any flock. Their kernels guide and control (JoinedKernel); the rows of the hot record have the pose of every body after each substep, and whoever writes there moves
// the bodies.
// What MuJoCo needs beside is a set of rows of its own, so that snapshots, parts, hashes and batches have it; scenes themselves are only working memory of a thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/joined_scene.hpp"
#include "engine/stepper.hpp"
#include "multibody/model.hpp"
#include "vehicles/model.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;
struct Flock;

// where the motion of a body lies in the hot record of its vehicle; an aircraft of a platform has only an attitude and an angular velocity
struct BodyColumns {
  const ColumnInfo *position = nullptr, *velocity = nullptr, *attitude = nullptr, *omega = nullptr;
};

// A bit of the status row that control/guide.hpp leaves free: a latch joins the vehicle with its partner. Whoever simulates them sets it, and everybody who shares the
// world sees it in frames.
inline constexpr std::uint64_t kHeld = 0x800;

enum class LatchState : std::uint64_t { Open, Closed, Released };  // Released: it holds nothing until the cylinder has left it

struct Joined {
  std::shared_ptr<const multibody::Model> model;  // none: another flock has the bodies of these vehicles in its scenes
  JoinedScene scene;
  std::size_t member = 0;                  // which of the members of a scene these vehicles are
  std::vector<Flock*> members;             // the flocks of all members in their order, vehicle by vehicle; the first of them leads
  double floor = 0;                        // m: no load begins lower
  std::vector<BodyColumns> bodies;
  const ColumnInfo* wrench = nullptr;      // the push from outside; none: the vehicles have no such column

  // blocks x rows x 16: per vehicle, in words of 64 bits, whether its bodies were placed, what the rows above held when they were written, the latches, the motion; behind
  // them the columns that everybody may read
  int rows = 0;
  std::size_t words = 0;
  core::Buffer state;
  std::vector<ColumnInfo> columns;
  struct OwnColumns {
    // none: these vehicles have no such column
    const ColumnInfo *wrench = nullptr, *is_docked = nullptr, *offset = nullptr, *velocity = nullptr, *tension = nullptr, *pull = nullptr;
    BodyColumns load;  // of the flock that leads
  } own;

  // not state: what people see of the last substep
  std::vector<std::vector<ContactPoint>> contacts;  // by slot
  std::vector<bool> was_held;                       // by slot, when events last told of latches; of the flock that leads
  std::unique_ptr<multibody::Instance> still;       // a scene that is not stepped; none: nobody has asked where vehicles begin

  bool leads() const { return model != nullptr; }
  bool shares() const { return members.size() > 1; }         // scenes with other flocks
  bool docks() const { return !scene.latches.empty(); }
  bool carries() const { return !scene.cables.empty(); }
  const ColumnInfo* find_column(const std::string& name) const;
};

// the flocks that a flock names to share scenes with: the one to dock with, or those that carry its load with it
std::vector<std::string> partners_of(const FlockDef& def);
// whether MuJoCo moves the bodies of the vehicles of a flock
bool is_joined(const FlockDef& def);
// none: it does not
core::Result<std::unique_ptr<Joined>> make_joined(const FlockDef& def, const WorldDef& world, Flock& f);
// after all flocks were made: who shares scenes with whom
void link_members(Data& d);
std::unique_ptr<Stepper> make_joined_stepper();

// whether a parameter is one of the bodies, which are the same for all vehicles of a flock of joined bodies
bool is_of_bodies(const Flock& f, const std::string& parameter);
// the bodies of a vehicle are placed where the rows have them before the next tick, with nothing of their past
void place_anew(Flock& f, std::size_t slot);
// The columns of docking of vehicles that begin in slots [first, last), for both flocks; of a flock that has no scenes of pairs nothing. After place_anew() of both.
void show_starts(Flock& f, std::size_t first, std::size_t last);
// what people see of a world that was put back: no contacts, and latches of which events have told
void forget_shown(Flock& f);
// events of latches that closed or opened in this tick, in the order of ids
void tell_latches(Data& d);
// opens the latch that holds a vehicle; false: none does
bool release(Data& d, Flock& f, std::size_t slot);
// whether a latch joins the vehicle with another one, and that one; none: none does
bool is_held(const Flock& f, std::size_t slot);
VehicleId holder_of(const Flock& f, std::size_t slot);

}  // namespace volary::engine
