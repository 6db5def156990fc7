#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Kernels are compiled once per instruction set. A weak symbol outside the namespace of its instruction set
# could be merged with one compiled for another, and an AVX-512 copy would run on a CPU without it.
#   tools/check_isa.sh [build folder]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
faults=0 looked=0

for folder in "$build"/CMakeFiles/{,sensed_,sense_}kernels_*.dir; do
  isa=${folder##*kernels_}
  isa=${isa%.dir}
  while IFS= read -r -d '' object; do
    looked=$((looked + 1))
    # weak and unique symbols must carry the name of the instruction set
    loose=$(nm -C --defined-only "$object" | awk -v isa="$isa" '$2 ~ /^[WVu]$/ && $3 !~ /^DW\.ref\./ && index($0, "::" isa "::") == 0')
    if [[ -n $loose ]]; then
      echo "$isa: weak symbols outside volary::$isa:"
      head -5 <<<"$loose"
      faults=1
    fi
    # nothing but the 16-lane kernels may hold 512-bit registers; the soft ones no AVX at all
    case $isa in
      lanes16*) forbidden='' ;;
      soft) forbidden='%[yz]mm|%k[0-7]|\bv[a-z0-9]+ps' ;;
      *) forbidden='%zmm|%k[0-7]' ;;
    esac
    if [[ -n $forbidden ]] && objdump -d --no-show-raw-insn "$object" | grep -m1 -E "$forbidden"; then
      echo "$isa: an instruction that its CPU may lack"
      faults=1
    fi
  done < <(find "$folder" -name '*.o' -print0)
done

if ((looked == 0)); then
  echo "no kernels in $build: build first"
  exit 1
fi
if ((faults)); then exit 1; fi
echo "$looked kernel objects keep to their instruction sets"
