// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and estimators in shared libraries (volary/sensor_plugin.h): called for every vehicle after its sensors have measured. What they remember lies in the rows
// of the senses, so snapshots, hashes and resets have it.
#pragma once

#include "engine/stepper.hpp"

namespace volary::engine {

struct Data;
struct Flock;

// for the vehicles of this process in some blocks, at the end of a tick
void call_plugins(const Data& d, Flock& f, Stretch blocks);

}  // namespace volary::engine
