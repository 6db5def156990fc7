// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of stimuli. (Radio waves are stimuli too, with a room of their own: swarm/radio.)
#pragma once

#include "core/type_list.hpp"
#include "swarm/stimuli/light.hpp"
#include "swarm/stimuli/plume.hpp"
#include "swarm/stimuli/sound.hpp"

namespace volary::swarm {

using AllStimuli = core::TypeList<  //
    Light,                          //
    Plume,                          //
    Sound>;

}  // namespace volary::swarm
