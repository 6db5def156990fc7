#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# sanitize.sh PRESET ROOMS: builds the test programs of ROOMS (a|b|c) with a sanitizer preset and runs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1 rooms=$2
cmake --preset "$preset" >/dev/null
IFS='|' read -ra list <<<"$rooms"
for room in "${list[@]}"; do
  cmake --build "build/$preset" -j "$(nproc)" --target "${room}_tests" >"build/$preset.log" 2>&1 || { tail -n 60 "build/$preset.log"; exit 1; }
  "build/$preset/${room}_tests" --gtest_brief=1
done
