#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# tools/get_mujoco.sh           fetches MuJoCo from PyPI and unpacks it in build/mujoco; does nothing, in milliseconds, where it is there
# tools/get_mujoco.sh --check   only says, by its exit code, whether it is there
#
# The wheel has to have one of the hashes in mujoco_requirements.txt. pip comes from an environment of Python's own (python3-venv), so no package of pip is needed;
# it obeys PIP_INDEX_URL, PIP_FIND_LINKS and the like, for machines that reach PyPI by another way or not at all. What it leaves in build/mujoco:
#   include/mujoco/*.h     for the compilation of src/multibody
#   libmujoco.so.4.0.0     loaded when the first scene of several bodies is made (src/multibody/library.cpp)
#   LICENSE*               of MuJoCo and of what is compiled into it
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wanted=$root/tools/mujoco_requirements.txt
place=$root/build/mujoco
say() { printf 'volary: %s\n' "$*" >&2; }
refuse() {
  say "MuJoCo could not be fetched: $*"
  exit 1
}
# the copy of the requirements is written last
is_there() { cmp -s "$wanted" "$place/requirements.txt" && [[ -f $place/libmujoco.so.4.0.0 ]]; }
is_there && exit 0
[[ ${1:-} != --check ]] || exit 1

case $(uname -m) in
  x86_64 | aarch64) platform=manylinux_2_28_$(uname -m) ;;
  *) refuse "PyPI has none for $(uname -m)" ;;
esac
mkdir -p "$root/build"
exec 8>"$root/build/.lock-mujoco"
flock 8  # two at once would unpack into one folder
is_there && exit 0

find_python() {
  local name
  for name in "$root/build/python/venv/bin/python" python3 python3.11 python3.12 python3.13 python3.14; do
    if command -v "$name" >/dev/null && "$name" -c 'import ensurepip, venv' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
}
interpreter=$(find_python)
[[ -n $interpreter ]] || refuse "there is no Python that can make an environment: apt-get install python3-venv"

work=$(mktemp -d "$root/build/.mujoco.XXXXXX")
trap 'rm -rf "$work"' EXIT
log=$work/pip.log
say "fetching MuJoCo from PyPI (10 MB) ..."
"$interpreter" -m venv "$work/venv" >"$log" 2>&1 || refuse "no environment of Python could be made: $(tail -n 1 "$log")"
if ! "$work/venv/bin/python" -m pip download --disable-pip-version-check --quiet --retries 1 --timeout 30 --dest "$work" --no-deps --only-binary :all: --require-hashes \
  --python-version 3.11 --implementation cp --abi cp311 --platform "$platform" -r "$wanted" >"$log" 2>&1; then
  if grep -q "DO NOT MATCH THE HASHES" "$log"; then
    grep -E "Expected|Got" "$log" | tr -s ' ' >&2 || true
    refuse "the file that was offered is not the one that tools/mujoco_requirements.txt names by its hash"
  fi
  tail -n 4 "$log" >&2
  refuse "PyPI was not reached, or does not have it (above). Without a network, put its wheel into a folder and set PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER"
fi

# headers, library and licences; the rest of the wheel is for Python
mkdir "$work/new"
"$interpreter" - "$work" <<'P' || refuse "its wheel could not be unpacked (above)"
import pathlib, re, sys, zipfile
work = pathlib.Path(sys.argv[1])
wheel, = work.glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if re.fullmatch(r"mujoco/include/mujoco/\w+\.h", name): target = name.removeprefix("mujoco/")
        elif re.fullmatch(r"mujoco/libmujoco\.so\.[0-9.]+|[^/]+\.dist-info/licenses/LICENSE\w*(\.md)?", name): target = name.rsplit("/", 1)[1]
        else: continue
        path = work / "new" / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read(name))
P
[[ -f $work/new/libmujoco.so.4.0.0 && -f $work/new/include/mujoco/mujoco.h ]] || refuse "its wheel lacks the library or its headers"
cp "$wanted" "$work/new/requirements.txt"
rm -rf "$place"
mv "$work/new" "$place"
say "MuJoCo is in build/mujoco"
