// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The published frame: every living vehicle with its state in flat columns by place, the lowest id first. Whoever reads the state of vehicles reads it here, so
// that nobody reads what somebody else is changing, and nobody needs to know where a flock lives. The sweep writes what the stages asked for when the world was
// built, while the blocks are in the cache; present() brings the rest when somebody looks from outside.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/numbers.hpp"
#include "volary/def.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Data;

// columns of the frame, as bits
namespace shows {
enum : unsigned {
  kMotion = 1,      // position, velocity
  kStatus = 2,
  kAttitude = 4,
  kLevel = 8,       // of the setpoint
  kWind = 16,
  kReference = 32,  // what the setpoint says of the path
  kEstimate = 64,   // what the vehicle believes of its motion
  kReadings = 128,  // what its sensors and its estimator say, where scripts or plugins may ask
};
}

struct Frame {
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  struct Reference {
    Vec position, velocity, acceleration;
  };
  struct Estimate {
    Vec position, velocity;
    std::array<double, 4> attitude;
    double position_std;  // m, on each axis
  };

  // who is there
  std::vector<std::uint64_t> id;     // numbers
  std::vector<std::uint32_t> flock, world, slot;
  Numbers numbers;
  std::vector<std::uint32_t> at;     // place in this list by the place of the number; kNobody where there is none
  std::vector<std::vector<std::uint32_t>> place_of;  // by flock and slot, whole blocks; kNobody for the dead
  std::uint64_t roster = ~std::uint64_t{0};

  // their state, by place
  std::vector<Vec> position, velocity;           // m, m/s
  std::vector<Vec> from, before;                 // m, m/s: the same at the start of the tick; where vehicles can touch
  std::vector<std::array<double, 4>> attitude;   // w x y z; no rotation where a kind has none
  std::vector<std::uint32_t> status;             // as the status row: control/guide.hpp
  std::vector<std::uint32_t> level;              // ControlLevel
  std::vector<Vec> wind;                         // m/s, at the vehicle
  std::vector<Reference> reference;              // m, m/s, m/s2
  std::vector<Estimate> estimate;                // m, m/s; the truth where nobody estimates
  std::vector<std::vector<double>> readings;     // by flock: a row of Senses::readings for each slot, whole blocks; of flocks that read them
  unsigned asked = 0;                            // what the sweep publishes
  unsigned fresh = 0;                            // what is as it is now

  // Somebody outside keeps views of it: columns stay where they are from tick to tick, and memory that a growing column left is kept for them.
  bool is_viewed = false;
  std::uint64_t generation = 0;                  // of the list: who is there, and where the columns are
  std::vector<std::shared_ptr<const void>> left;

  std::size_t size() const { return id.size(); }
  const double* readings_of(std::size_t of_flock, std::size_t of_slot, std::size_t width) const { return readings[of_flock].data() + of_slot * width; }
  std::uint32_t find(std::uint64_t number) const {
    const std::size_t place = numbers.find(number);
    return place == Numbers::kNone ? kNobody : at[place];
  }
};

// what the stages of this world read; once, when it is built
void ask_frame(Data& d);
// makes these columns show the present state
void present(Data& d, unsigned columns);
// the same for what the stages read: after inputs that changed something, and when vehicles came or went
void follow_changes(Data& d);
// the places and velocities of the tick that begins become those of its start
void begin_frame(Data& d);

// the columns that can be viewed from outside, and one of them, brought to the present and kept there from now on; none: there is no such column
std::vector<ColumnDoc> frame_columns();
std::optional<FrameView> view_frame(Data& d, const std::string& column);

// what one vehicle is like now: from the frame, or from where its flock lives if nobody published it
Vec position_of(const Data& d, std::size_t flock, std::size_t slot);
Vec velocity_of(const Data& d, std::size_t flock, std::size_t slot);
std::uint32_t status_of(const Data& d, std::size_t flock, std::size_t slot);
std::uint32_t level_of(const Data& d, std::size_t flock, std::size_t slot);

}  // namespace volary::engine
