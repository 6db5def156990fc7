#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# aarch64.sh sysroot           fills build/aarch64/sysroot with the headers and libraries of Debian 12 for aarch64
# aarch64.sh build TARGET...   ... and builds targets for aarch64 in build/aarch64
# aarch64.sh run PROGRAM ...   ... runs such a program under emulation
# aarch64.sh compare NATIVE    builds the program `hashes` for aarch64 and compares what it prints with what NATIVE, the same program for this machine, prints
#
# The packages of the other architecture are fetched with lists and a cache of their own and unpacked: nothing is installed, apt's own state does not
# change, and it needs no root. The exit code is 77 where compiler, linker, emulator or packages are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
build=build/aarch64
sysroot=$build/sysroot
packages=(libc6-dev libstdc++-12-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev libzstd-dev libsqlite3-dev libstb-dev libtiff-dev
  liblua5.4-dev libpugixml-dev libmosquitto-dev libssl-dev)

skip() {
  echo "skipped: $*"
  exit 77
}

need() {
  command -v "$1" >/dev/null || skip "$1 is missing; './volary test --long' installs it (package $2)"
}

# apt with a folder of its own, and the package sources of this machine
foreign_apt() {
  local own=$root/$build/apt
  apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o APT::Install-Recommends=false \
    -o Dir::State="$own/state" -o Dir::State::status="$own/status" -o Dir::Cache="$own/cache" \
    -o Acquire::Languages=none "$@"
}

fetch_packages() {
  local own=$root/$build/apt
  mkdir -p "$own/state/lists/partial" "$own/cache/archives/partial"
  : >"$own/status"
  { foreign_apt update -o APT::Update::Error-Mode=any && foreign_apt install -y --download-only "${packages[@]}"; } >"$own/log" 2>&1
}

fill_sysroot() {
  local stamp=$sysroot/.complete link to deb
  [[ -f $stamp && $(<"$stamp") == "${packages[*]}" ]] && return
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "the packages for aarch64 come from Debian, and this system has no apt"
  rm -rf "$sysroot" "$build/apt"
  mkdir -p "$sysroot"
  fetch_packages || { tail -n 3 "$build/apt/log"; skip "the packages for aarch64 could not be fetched"; }
  for deb in "$build"/apt/cache/archives/*.deb; do dpkg -x "$deb" "$sysroot"; done
  # links from the root of the file system begin at the root of this one
  while IFS= read -r link; do
    to=$(readlink "$link")
    ln -sfnr "$sysroot$to" "$link"
  done < <(find "$sysroot" -type l -lname '/*')
  # headers without a library are those of this machine
  [[ ! -d /usr/include/boost ]] || ln -sfn /usr/include/boost "$sysroot/usr/include/boost"
  rm -rf "$build/apt"
  printf '%s\n' "${packages[*]}" >"$stamp"
}

build_targets() {
  need clang++-19 clang-19
  [[ -x $(dirname "$(readlink -f "$(command -v clang++-19)")")/ld.lld ]] || skip "the linker of clang-19 is missing; './volary test --long' installs it (package lld-19)"
  fill_sysroot
  cmake --preset aarch64 >"$build/configure.log" 2>&1 || { tail -n 40 "$build/configure.log"; exit 1; }
  cmake --build "$build" -j "$(nproc)" --target "$@" >"$build/build.log" 2>&1 || { tail -n 60 "$build/build.log"; exit 1; }
}

emulate() {
  need qemu-aarch64 qemu-user
  qemu-aarch64 -L "$sysroot" "$@"
}

# the lines of a program, natively or under emulation: digests, then scenarios, as many at once as there are cores
lines_of() {
  "$@"
  printf '%s\0' scenarios/*.yaml examples/behaviours/*.yaml | xargs -0 -P "$(nproc)" -n 1 "$@" | sort
}

compare() {
  local native=$1
  need qemu-aarch64 qemu-user
  build_targets hashes
  lines_of "$native" >"$build/native.txt"
  lines_of qemu-aarch64 -L "$sysroot" "$build/hashes" >"$build/emulated.txt"
  if ! diff "$build/native.txt" "$build/emulated.txt"; then
    echo "aarch64 gives other bits (>) than this machine (<)"
    exit 1
  fi
  # four lanes give what one gives, on both
  if ! cmp -s <(sed -n 's/lanes=1 //p' "$build/native.txt") <(sed -n 's/lanes=4 //p' "$build/native.txt"); then
    echo "four lanes give other bits than one"
    exit 1
  fi
  echo "$(wc -l <"$build/native.txt") hashes are equal on this machine and on aarch64"
}

mkdir -p "$build"
command=${1:-}
shift || true
case $command in
  sysroot) fill_sysroot ;;
  build) build_targets "$@" ;;
  run) emulate "$@" ;;
  compare) compare "$@" ;;
  *)
    sed -n '5,8s/^# //p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
