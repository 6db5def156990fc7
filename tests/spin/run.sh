#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Checks the models of the federation protocol with Spin. Each must hold, and must fail when its guard is left out.
#   tests/spin/run.sh [MODEL...]     exit code 77 when Spin is not installed (apt install spin)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
command -v spin > /dev/null || { echo "Spin is not installed: apt install spin"; exit 77; }
models=("$@")
[ ${#models[@]} -gt 0 ] || models=(alignment settle membership)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# prints the number of errors that Spin finds, and how many states it looked at
errors_of() {
  local model=$1 guard=$2
  cp "$model.pml" "$folder/m.pml"
  (cd "$folder" && rm -f pan* && spin -DGUARD="$guard" -a m.pml > spin.log && cc -O2 -w -DSAFETY -o pan pan.c && ./pan -m1000000 ${3:-} > pan.log) || { cat "$folder"/*.log >&2; exit 1; }
  if grep -q 'max search depth too small' "$folder/pan.log"; then echo "$model: the search is not complete" >&2; exit 1; fi
  sed -n 's/.*errors: \([0-9]*\).*/\1/p' "$folder/pan.log"
}

for model in "${models[@]}"; do
  # a crashed node that is not restarted may stand where it is
  flags=""
  [ "$model" = alignment ] && flags=-E
  good=$(errors_of "$model" 1 $flags)
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$folder/pan.log")
  broken=$(errors_of "$model" 0 $flags)
  echo "$model: $good errors in $states states; without its guard: $broken"
  [ "$good" = 0 ] && [ "$broken" != 0 ] || exit 1
done
