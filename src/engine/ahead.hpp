// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A process that shares a world may be ahead of the frames of others, by as many ticks as the horizon. It has the world twice: one goes ahead and only advances the
// vehicles of the process, the other comes after it, without vehicles of its own, and settles what the frames say. What decisions of the first need of others is
// what the second has settled a horizon ago (coupling.hpp). Contact has no such delay. The first assumes that there is none; when the second finds one, the first goes
// back to the end of that tick, takes what contact did there, and goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/patches.hpp"
#include "volary/ids.hpp"

namespace volary::engine {

struct Data;

// What a settled tick did to vehicles at once, for those who are ahead of it.
struct Touched {
  struct Written {
    std::uint32_t flock = 0;
    Patch patch;
  };
  std::vector<Written> written;  // by contact, in order
  std::vector<VehicleId> crashed, lost, stopped;  // wrecks; removed by contact; whose numbers went bad

  bool empty() const { return written.empty() && crashed.empty() && lost.empty() && stopped.empty(); }
  void clear() { written.clear(), crashed.clear(), lost.clear(), stopped.clear(); }
};

// what contacts wrote, before it is applied
void note_written(Data& d);
// members whose vehicles the last settled tick touched; all of them where somebody left, because those who come later get other slots
std::vector<std::uint32_t> touched_members(const Data& d);

// One tick of the vehicles of this process, up to its end, as if nobody touched them. `settled` is the world that comes after it.
void advance_ahead(Data& d, const Data& settled, std::vector<std::byte>& frame);
// what is shown of the vehicles of a member, at the end of the tick that `settled` has settled last
void take_vehicles(Data& d, const Data& settled, std::uint32_t member);
// at the end of the tick that `settled` has settled last
void take_touched(Data& d, const Data& settled);

}  // namespace volary::engine
