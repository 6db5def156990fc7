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

# prints the number of errors that Spin finds in all states within the bounds
errors_of() {
  local model=$1 guard=$2 bounds=$3 flags=$4
  cp "$model.pml" "$folder/m.pml"
  # shellcheck disable=SC2086
  (cd "$folder" && rm -f pan* && spin $bounds -DGUARD="$guard" -a m.pml > spin.log && cc -O2 -w -DSAFETY -o pan pan.c && ./pan -m1000000 $flags > pan.log) || { cat "$folder"/*.log >&2; exit 1; }
  if grep -q 'max search depth too small' "$folder/pan.log"; then echo "$model: the search is not complete" >&2; exit 1; fi
  sed -n 's/.*errors: \([0-9]*\).*/\1/p' "$folder/pan.log"
}

check() {
  local model=$1 bounds=$2 flags=$3 good states broken
  good=$(errors_of "$model" 1 "$bounds" "$flags")
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$folder/pan.log")
  broken=$(errors_of "$model" 0 "$bounds" "$flags")
  echo "$model${bounds:+ with $bounds}: $good errors in $states states; without its guard: $broken"
  [ "$good" = 0 ] && [ "$broken" != 0 ] || exit 1
}

for model in "${models[@]}"; do
  # the aligner may stop for good while a node does not answer
  flags=""
  [ "$model" = alignment ] && flags=-E
  check "$model" "" "$flags"
  # fewer ticks and crashes, more nodes
  [ "$model" != alignment ] || check alignment "-DN=3 -DK=3 -DLIVES=2" "$flags"
done
