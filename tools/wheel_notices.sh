#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Licences of the shared libraries of the system that a wheel carries, from the packages they come from:
#   wheel_notices.sh MODULE FOLDER_OF_OUR_OWN OUTPUT
set -euo pipefail
module=$1 own=$2 output=$3
# what auditwheel leaves to the system
system='^(libc|libm|libgcc_s|libstdc\+\+|libpthread|libdl|librt|ld-linux-x86-64|libz|linux-vdso)\.'
{
  echo "Shared libraries of Debian that this wheel carries, and their licences. THIRD_PARTY.md lists what is compiled in."
  LD_LIBRARY_PATH="$own" ldd "$module" | awk '$2 == "=>" {print $3}' | sort -u | while read -r library; do
    name=$(basename "$library")
    [[ $name =~ $system || $library == "$own"/* ]] && continue
    # packages may list a file in /lib that lies in /usr/lib
    package=$(dpkg -S "*/$(basename "$(readlink -f "$library")")" 2>/dev/null | head -n 1 | cut -d: -f1 || true)
    [[ -n $package && -f /usr/share/doc/$package/copyright ]] || { echo "no licence was found for $library" >&2; exit 1; }
    if grep -qE '^License: (GPL|AGPL)-' <(sed -n '/^Files: \*$/,/^$/p' "/usr/share/doc/$package/copyright"); then
      echo "$library is under the GNU General Public License and cannot be part of the wheel" >&2
      exit 1
    fi
    printf '\n================ %s, of the package %s %s\n\n' "$name" "$package" "$(dpkg-query -W -f='${Version}' "$package" | head -n 1)"
    cat "/usr/share/doc/$package/copyright"
  done
} >"$output.part"
mv "$output.part" "$output"
