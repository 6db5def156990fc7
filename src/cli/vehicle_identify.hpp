// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace volary::cli {

// volary vehicle identify: an airframe from a test stand and a drawing
void add_identify(CLI::App& vehicle, std::function<int()>& action);

}  // namespace volary::cli
