#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The installed library, as a stranger uses it: installed, moved elsewhere, found with find_package and with pkg-config by a project outside of the tree,
# which is built with nothing of ours but what the installation gives it, and flies.
#   tests/library_install.sh BUILD_FOLDER COMPILER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$1" && pwd)
compiler=$2
work=$build/install_test
unset VOLARY_HOME
export -n CXXFLAGS CPPFLAGS LDFLAGS 2>/dev/null || true
rm -rf "$work"
mkdir -p "$work"
fail() {
  echo "FAILED: $*"
  exit 1
}

# installed in one place, used in another
cmake --install "$build" --prefix "$work/first" >"$work/install.log" || fail "cmake --install: $(tail -5 "$work/install.log")"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
for file in bin/volary lib/libvolary.so include/volary/world.hpp lib/cmake/volary/volaryConfig.cmake lib/pkgconfig/volary.pc share/volary/assets/vehicles/x500.yaml \
  share/volary/scenarios/default.yaml share/doc/volary/LICENSE share/doc/volary/THIRD_PARTY.md; do
  [[ -e $prefix/$file ]] || fail "$file was not installed"
done
if grep -rlF -e "$source/" -e "$work/first" "$prefix/lib/cmake" "$prefix/lib/pkgconfig"; then fail "a file of the package names the place where it was built"; fi

# the installed program finds its own files
cd /
home=$("$prefix/bin/volary" version --json | sed -n 's/.*"\(.*share\/volary\)".*/\1/p' | head -1)
[[ $home == "$prefix/share/volary" ]] || fail "the installed program looks for its files in '$home'"
"$prefix/bin/volary" run default --headless --no-record --quiet >"$work/run.log" 2>&1 || fail "the installed program: $(tail -5 "$work/run.log")"

# a project outside of the tree, with find_package
cp -r "$source/examples/03_my_controller" "$work/stranger"
cmake -G Ninja -S "$work/stranger" -B "$work/stranger/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log" 2>&1 || fail "find_package: $(tail -20 "$work/configure.log")"
cmake --build "$work/stranger/build" >"$work/build.log" 2>&1 || fail "the project does not build: $(tail -20 "$work/build.log")"
"$work/stranger/build/my_controller" | tee "$work/fly.log" || fail "a controller of the example flies badly"
grep -qF "files in $prefix/share/volary" "$work/fly.log" || fail "the library does not find the installed files"

# no flag of ours, no dependency and no folder of the source tree reached it
commands=$work/stranger/build/compile_commands.json
if grep -nE -- ' -(W|ffp|fno|fvis|fPIC|m|D[^N]|include)|/src ' "$commands"; then fail "flags of ours in the commands above"; fi
needed=$(readelf -d "$work/stranger/build/my_controller" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^lib(volary|stdc\+\+|m|gcc_s|c)\.so|^ld-linux' || true)
[[ -z $needed ]] || fail "the program is linked with $needed"

# the same with pkg-config and a plain compiler
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  # shellcheck disable=SC2046
  "$compiler" -O1 "$work/stranger/my_controller.cpp" $(pkg-config --cflags --libs volary) -Wl,-rpath,"$prefix/lib" -o "$work/plain" || fail "pkg-config"
  "$work/plain" >"$work/plain.log" || fail "built with pkg-config it flies badly: $(cat "$work/plain.log")"
  cmp <(grep -v '^volary' "$work/plain.log") <(grep -v '^volary' "$work/fly.log") || echo "note: another optimisation of the example gives other digits"
else
  echo "note: pkg-config is not installed, its file was not used"
fi
echo "installed, moved, found, linked and flown"
