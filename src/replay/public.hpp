// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Public options of a recording as those of the recorder.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"
#include "replay/recorder.hpp"
#include "volary/recording.hpp"

namespace volary::replay {

core::Result<std::unique_ptr<Recorder>> open_recorder(const std::string& path, World& world, const ScenarioFiles& files, const RecordOptions& options);

}  // namespace volary::replay
