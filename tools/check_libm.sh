#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Fails when code that can reach a result calls the C math library, whose last bit differs between systems.
# Allowed is what is exact everywhere: fma, sqrt, floor, ceil, trunc, round, fmod, ldexp, frexp, isfinite and the
# like. fmin and fmax are not: they may choose either zero.
#   tools/check_libm.sh [build folder]     sources, and the symbols of the built libraries when they are there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}

families='sin|cos|tan|asin|acos|atan|atan2|sincos|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|exp10|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|fmin|fmax|fdim|j0|j1|jn|y0|y1|yn'
faults=0

# 1. sources: std::sin, ::sin, sinf(, __builtin_sin; our own are math::sin
while IFS= read -r -d '' file; do
  found=$(awk -v names="$families" '
    { line = $0; sub(/\/\/.*/, "", line) }
    line ~ "(std::|[^A-Za-z0-9_>]::|^::|__builtin_)(" names ")[fl]?[ ]*\\(" ||
    line ~ "(^|[^A-Za-z0-9_:.>])(" names ")(f|l)[ ]*\\(" { printf "%s:%d:%s\n", FILENAME, FNR, $0 }' "$file")
  if [[ -n $found ]]; then
    printf '%s\n' "$found"
    faults=1
  fi
done < <(find src include \( -name '*.hpp' -o -name '*.cpp' \) ! -name '*_test*' ! -path 'src/cli/*' -print0 | sort -z)

# 2. symbols: what the libraries would take from libm
for room in core multibody sensors vehicles swarm agents engine scenario learning; do
  library="$build/libvolary_$room.a"
  if [[ ! -f $library ]]; then
    echo "note: $library is not built, its symbols were not looked at"
    continue
  fi
  taken=$(nm -A -u "$library" 2>/dev/null | awk -v names="$families" '{ s = $NF; sub(/@.*/, "", s); if (s ~ "^(__)?(" names ")(f|l|f128)?(_finite)?$") print $0 }')
  if [[ -n $taken ]]; then
    printf '%s\n' "$taken"
    faults=1
  fi
done

if ((faults)); then
  echo "libm reaches a result: use math/functions.hpp"
  exit 1
fi
echo "no libm in what can reach a result"
