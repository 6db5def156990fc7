#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Two types of one name in one namespace are two layouts for one set of functions, and the linker keeps either: nothing
# else says so. Looks at types defined at namespace scope, outside unnamed namespaces.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find src include \( -name '*.hpp' -o -name '*.cpp' \) -not -name '*_test*' | sort | tr '\n' '\0' | xargs -0 awk '
  FNR == 1 { space = ""; hidden = 0 }
  /^namespace \{/ { hidden = 1 }
  /^}  \/\/ namespace$/ { hidden = 0 }
  /^namespace volary/ { space = $2 " " $3; sub(/ \{.*/, "", space); sub(/\{.*/, "", space) }
  /^(struct|class) [A-Za-z_0-9]+.*[^;]$/ && !hidden && /[{:]/ && !/;[ \t]*(\/\/.*)?$/ {
    name = $2 == "VOLARY_API" ? $3 : $2
    if (name ~ /::/ || name ~ /</) next  # a nested type, a specialisation
    sub(/[^A-Za-z_0-9].*/, "", name)
    key = space "::" name
    if (key in where && where[key] != FILENAME) { print key " is defined in " where[key] " and in " FILENAME; faults = 1 }
    where[key] = FILENAME
  }
  END { if (faults) exit 1; print "every type has a name of its own" }'
