// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Mirrors that a log moves (FlockDef::tracks). A track is part of the definition, as the events of a scenario are: whoever steps
// a world, its mirrors are where the logs say at every tick of it, and a recording needs no inputs for it.
#pragma once

namespace volary::engine {

struct Data;

// Writes states and modes of this tick, and tells what the logs have to say. A world without tracks pays a look at its flocks.
void follow_tracks(Data& d);

}  // namespace volary::engine
