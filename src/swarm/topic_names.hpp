// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Topics of messages as people read them: on the page and in exports.
#pragma once

#include <cstdint>
#include <string>

namespace volary::swarm {

// the name that a topic was made from, where a built-in behaviour sends it; else its number in hexadecimal digits
std::string topic_name(std::uint32_t topic);

}  // namespace volary::swarm
