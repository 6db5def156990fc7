// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the definition of a task makes sense by itself: names of terms, sizes of lists, numbers. Those who read files and those who make worlds ask the same.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/end_terms.hpp"
#include "agents/observation_terms.hpp"
#include "agents/reward_terms.hpp"
#include "core/result.hpp"
#include "volary/learning.hpp"

namespace volary {

// the words for kinds of goals, in the order of their values; found by the visitors of describe lists
std::span<const char* const> names(GoalKind);

}  // namespace volary

namespace volary::agents {

// a line of a list by its name; none: there is no such term
const Term* find_observation(const std::string& name);
const RewardLine* find_reward(const std::string& name);
const EndLine* find_end(const std::string& name);

// the error for a name that is not in a list: "there is no reward 'x' (did you mean ...)", with all that there are
core::Error unknown_observation(const std::string& name);

// how many numbers an action of a control level has; motor speeds have one for each rotor, which is 0 here
int numbers_of(ControlLevel level);

// `field` is the place of the definition, such as "learning"; each fault names the field below it
core::Status check_task(const LearningDef& def, const std::string& field);

}  // namespace volary::agents
