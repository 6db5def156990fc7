#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# sanitize.sh PRESET TARGET...: builds targets with a sanitizer preset, in build/PRESET; what the build says is shown only when it fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
cmake --preset "$preset" >/dev/null
cmake --build "build/$preset" -j "$(nproc)" --target "${@:2}" >"build/$preset.log" 2>&1 || { tail -n 60 "build/$preset.log"; exit 1; }
