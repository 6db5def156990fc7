// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Snapshots as bytes, to keep in files. What is read back is not trusted: sizes, counts, indices and the
// world it was taken from are checked before anything of it reaches a running world.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"
#include "engine/snapshot.hpp"

namespace volary::engine {

// what a snapshot must have been taken from to fit: tick, precision, worlds, flocks with their airframes and programs, paths
std::uint64_t fingerprint(const Data& d);
core::Error of_another_world(const std::string& what);

std::vector<std::byte> snapshot_to_bytes(const Snapshot& s);
core::Result<std::shared_ptr<const Snapshot>> snapshot_from_bytes(std::span<const std::byte> bytes, const Data& d);

}  // namespace volary::engine
