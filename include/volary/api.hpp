// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The mark of everything that the shared library exports, and the version of the library.
// The headers of this folder are the public API. No other symbol of the library can be linked.
#pragma once

#if defined(__GNUC__)
#define VOLARY_API __attribute__((visibility("default")))
#else
#define VOLARY_API
#endif

namespace volary {

// The version of the library in use, such as "0.1.0".
VOLARY_API const char* version();

}  // namespace volary
