// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Snapshots and inputs as bytes, to keep in files. What is read back is not trusted: sizes, counts, indices and the
// world it was taken from are checked before anything of it reaches a running world.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"
#include "engine/snapshot.hpp"

namespace volary::engine {

// what a snapshot must have been taken from to fit: tick, precision, flocks with their programs, paths
std::uint64_t fingerprint(const Data& d);

// Inputs that were already applied are history and stay out; those still to come are kept.
std::vector<std::byte> snapshot_to_bytes(const Snapshot& s);
core::Result<std::shared_ptr<const Snapshot>> snapshot_from_bytes(std::span<const std::byte> bytes, const Data& d);

void write_input(core::ByteWriter& out, const Input& in);
// false when the bytes are no input; a path that the world lacks and an id beyond all bounds are refused too
bool read_input(core::ByteReader& in, Input& out, std::size_t n_paths);
inline constexpr std::size_t kLeastInputBytes = 25;  // tick, source, seq, target, kind

}  // namespace volary::engine
