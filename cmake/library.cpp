// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A target needs a source of its own; everything in the library comes from the rooms.
