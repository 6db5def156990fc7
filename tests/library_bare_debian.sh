#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The installed library in a bare Debian 12 that has a compiler, CMake and the packages that docs/cpp.md names, and nothing else of ours: the project of
# examples/03_my_controller finds, links and flies it. Needs root, debootstrap and a mirror; exit code 77 without them.
#   tests/library_bare_debian.sh BUILD_FOLDER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$1" && pwd)
PATH="$PATH:/usr/sbin:/sbin"
skip() {
  printf 'library_bare_debian: skipped: %s\n' "$*" >&2
  exit 77
}
((EUID == 0)) || skip "only root can make a Debian"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"

work=$(mktemp -d /var/tmp/volary-debian.XXXXXX)
leave() {
  # nothing is left mounted inside, or it is not removed
  grep -o "$work/[^ ]*" /proc/self/mounts | sort -r | xargs -r -n1 umount -l 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap leave EXIT
# the packages for the time when it runs, as the page lists them
packages=$(sed -n '/On Debian 12 these are/,/^$/p' "$source/docs/cpp.md" | grep -o '`lib[^`]*`' | tr -d '`' | paste -sd, -)
[[ -n $packages ]] || { echo "docs/cpp.md does not say which packages the library needs"; exit 1; }
debootstrap --variant=minbase --include="g++,cmake,make,$packages" bookworm "$work/root" >"$work/debootstrap.log" 2>&1 || { tail -n 5 "$work/debootstrap.log"; skip "no Debian can be made"; }

cmake --install "$build" --prefix "$work/root/opt/volary" >/dev/null
cp -r "$source/examples/03_my_controller" "$work/root/root/stranger"
chroot "$work/root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root sh -euc '
  cd /root/stranger
  cmake -B build -DCMAKE_PREFIX_PATH=/opt/volary -DCMAKE_BUILD_TYPE=Release
  cmake --build build
  build/my_controller'
echo "a bare Debian with $packages found, linked and flew the library"
