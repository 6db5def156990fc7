// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of vehicle models. Kernels, loading by name, schema, documentation and help all come from it.
#pragma once

#include "core/type_list.hpp"
#include "vehicles/aircraft_model.hpp"
#include "vehicles/balloon.hpp"
#include "vehicles/car_model.hpp"
#include "vehicles/mirror.hpp"
#include "vehicles/multirotor_model.hpp"
#include "vehicles/platform_model.hpp"
#include "vehicles/walker.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using AllVehicles = core::TypeList<  //
    Aircraft,                        //
    Balloon,                         //
    Car,                             //
    Mirror,                          //
    Multirotor,                      //
    Platform,                        //
    Walker>;

}  // namespace volary::inline VOLARY_ISA::vehicles
