// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every payload of an input as JSON. Names, units and bounds come from the field lists of engine/payloads.hpp; nothing is listed here again.
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "volary/input.hpp"

namespace volary::server {

// The payload of this kind ("setpoint", "rotor_failure"). Fields that are not given keep their defaults; a name, type or bound that is wrong is an error
// with the field. The ids of a bulk payload are not fields: they are given beside it, as those of every other input.
core::Result<Payload> read_payload(std::string_view kind, const nlohmann::json& fields);

// a JSON Schema of each kind, by its name
nlohmann::json payload_schemas();

}  // namespace volary::server
