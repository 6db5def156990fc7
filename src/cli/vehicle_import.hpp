// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace volary::cli {

// volary vehicle import: a platform of several aircraft from a robot description in URDF
void add_vehicle_import(CLI::App& vehicle, std::function<int()>& action);

}  // namespace volary::cli
