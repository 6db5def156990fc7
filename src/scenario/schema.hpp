// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a scenario file and an airframe file may hold, for editors and for readers; made from the
// describe lists, so it cannot fall behind the reader.
#pragma once

#include <string>
#include <string_view>

namespace volary::scenario {

// JSON Schema, draft 2020-12
std::string scenario_schema();
std::string airframe_schema();  // one alternative per vehicle model

// tables in Markdown: field, type, unit, range, default, meaning; of "scenario" or "airframe" files, or of both
std::string describe_markdown(std::string_view kind = "");

}  // namespace volary::scenario
