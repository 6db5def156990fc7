#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The Python package: an environment in build/python/venv, the module from the libraries in build/release, a wheel in build/python/dist, and the wheel installed
# in the environment. `./volary python` calls it after it has built the program and the page; with VOLARY_PYTHON_TESTS=1 the environment gets what the tests need.
#   tools/python_package.sh INTERPRETER [1]   1: another interpreter beside that of the environment; only its wheel is made, in a build folder of its own
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
interpreter=$1 other=${2:-0}
work=$root/build/python
venv=$work/venv settings=() folder=$root/build/release
if ((other)); then
  version=$("$interpreter" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  venv=$work/venv$version settings=(-C "build-dir=../build/python/cmake$version") folder=$work/cmake$version
fi
say() { printf 'volary: %s\n' "$*" >&2; }

# a folder that was moved with the tree does not fit any more, nor one of another interpreter
if [[ ! -x $venv/bin/python ]] || ! "$venv/bin/python" -c "import sys; sys.exit(sys.prefix != '$venv')" 2>/dev/null; then
  rm -rf "$venv"
  "$interpreter" -m venv "$venv"
fi
python=$venv/bin/python
if ! cmp -s "$root/python/requirements.txt" "$venv/requirements.txt"; then
  "$python" -m pip install --quiet --disable-pip-version-check -r "$root/python/requirements.txt"
  cp "$root/python/requirements.txt" "$venv/requirements.txt"
fi

rm -rf "$work/made" "$work/repaired"
PATH="$venv/bin:$PATH" "$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps "${settings[@]}" --wheel-dir "$work/made" "$root/python"
# shared libraries of the system that the module needs go into the wheel; ours stands in for one that may not (cmake/no_jbig.cpp)
PATH="$venv/bin:$PATH" LD_LIBRARY_PATH="$folder/wheel_libraries" "$python" -m auditwheel repair --wheel-dir "$work/repaired" "$work"/made/*.whl >&2
mkdir -p "$work/dist"
rm -f "$work"/dist/volary-*-"$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')"-*.whl
mv "$work"/repaired/*.whl "$work/dist/"
wheel=$(ls -t "$work"/dist/*.whl | head -n 1)
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
((other)) || say "the package is installed in build/python/venv: $("$python" -c 'import volary; print("volary", volary.__version__)'), $("$python" --version)"
if [[ ${VOLARY_PYTHON_TESTS:-} == 1 ]] && ! cmp -s "$root/python/requirements-test.txt" "$venv/requirements-test.txt"; then
  "$python" -m pip install --quiet --disable-pip-version-check -r "$root/python/requirements-test.txt"
  cp "$root/python/requirements-test.txt" "$venv/requirements-test.txt"
fi
say "wheel: ${wheel#"$root"/} ($(du -h "$wheel" | cut -f1))"
