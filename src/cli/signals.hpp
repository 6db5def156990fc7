// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C asks a command to end in order; a second one ends the program at once.
#pragma once

namespace volary::cli {

void catch_signals();
bool is_interrupted();

}  // namespace volary::cli
