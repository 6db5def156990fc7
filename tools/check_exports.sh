#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Fails when the shared library exports something that the public headers do not mark with VOLARY_API, or lacks something that they mark.
#   tools/check_exports.sh [build folder]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
library=${1:-build/release}/libvolary.so
if [[ ! -f $library ]]; then
  echo "$library is not built"
  exit 1
fi

# the class or function of every exported symbol: volary::World::step(unsigned long) is World
exported=$(nm -D --defined-only -C "$library" | awk '
  $2 == "A" { next }  # versions
  $3 ~ /^volary::/ { name = $3; sub(/^volary::/, "", name); sub(/[^A-Za-z_0-9].*/, "", name); print name; next }
  { print "NOT OF VOLARY: " $0 }' | sort -u)
# what the headers mark: a class, or the name before the first bracket
marked=$(awk '
  /VOLARY_API/ && !/define/ {
    line = $0; sub(/\/\/.*/, "", line)
    if (line ~ /class VOLARY_API/) { sub(/.*class VOLARY_API /, "", line); sub(/[^A-Za-z_0-9].*/, "", line); print line; next }
    if (line ~ /VOLARY_API double at\(/) { print "View"; next }  # the one marked member of a plain struct
    sub(/\(.*/, "", line); sub(/.*[ *&]/, "", line); print line
  }' include/volary/*.hpp | sort -u)
if [[ $exported != "$marked" ]]; then
  echo "the library exports (<) what the public headers do not mark, or they mark (>) what it does not export:"
  diff <(printf '%s\n' "$exported") <(printf '%s\n' "$marked") || true
  exit 1
fi
echo "the library exports the $(wc -l <<<"$marked") classes and functions of its public headers, and nothing else"
