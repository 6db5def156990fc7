// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of a definition that may be changed in the middle of a run, by the paths that scenario files have:
//
//   of the radio    loss                            of a flock    behaviours[2].reynolds.speed     behaviours[2].threshold
//                   sinr                                          emits[0].plume.rate              node.radio_power
//
// behaviours.reynolds.speed is short for the only entry of that kind, behaviours.formation[1].spacing for the second of two.
// What is wrong is an error that names the path and suggests; nothing is changed then.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/list_fields.hpp"
#include "core/result.hpp"
#include "volary/swarm.hpp"

namespace volary::swarm {

core::Status change_radio(RadioDef& radio, std::string_view path, const std::string& value);
// brings the path as it is written in full
core::Result<std::string> change_node(NodeDef& node, std::string_view path, const std::string& value);

// those that can be changed, as they are now
std::vector<core::ListedField> list_radio(const RadioDef& radio);
std::vector<core::ListedField> list_node(const NodeDef& node);

// what people call a behaviour: its kind, or the name of its script or plugin
std::string name_of(const BehaviourDef& behaviour);
// the places of "reynolds" (every one), "formation[1]" (the second of that name); empty: there is none
std::vector<std::size_t> find_named(const std::vector<std::string>& names, std::string_view wanted);

}  // namespace volary::swarm
