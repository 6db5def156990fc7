#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The tests of the Python package, in the environment that `./volary test` has made:
#   python_tests.sh tests [ARGUMENT of pytest...] | types | notebooks
#   python_tests.sh mavlink FILE...   tests with clients of MAVLink; python_tests.sh oracle PROGRAM   our messages beside those of pymavlink
#   python_tests.sh sanitized [ARGUMENT of pytest...]   the tests of the bindings with a module that has the address sanitizer (build/asan); no browser is started
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../python"
python=$PWD/../build/python/venv/bin/python
# what is tested is the installed package, not the source tree
export PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1
if ! [[ -x $python ]] || ! "$python" -c 'import pytest, volary' 2>/dev/null; then
  echo "build/python/venv has no package volary or no pytest: ./volary test sets it up"
  exit 1
fi
case ${1:-} in
  tests) exec "$python" -m pytest -p no:cacheprovider "${@:2}" tests ;;
  types) cd ../build/python && exec "$python" -m mypy --config-file ../../python/pyproject.toml --cache-dir=mypy --strict -p volary ;;
  notebooks) exec "$python" ../tools/run_notebooks.py ../examples/notebooks/*.ipynb ;;
  mavlink) cd .. && exec "$python" -m pytest -p no:cacheprovider -q "${@:2}" ;;
  oracle) exec "$python" ../tests/mavlink/oracle.py "$2" ;;
  sanitized)
    build=$PWD/../build/asan
    cmake -S .. -B "$build" -DVOLARY_PYTHON=ON -DPython_EXECUTABLE="$python" >/dev/null
    cmake --build "$build" -j "$(nproc)" --target volary_python >"$build.python.log" 2>&1 || { tail -n 60 "$build.python.log"; exit 1; }
    # the installed package with the other module; its libraries are those of the system
    rm -rf "$build/package" && mkdir "$build/package"
    cp -r "$("$python" -c 'import volary; print(volary.__path__[0])')" "$build/package/volary"
    rm "$build"/package/volary/_core*.so
    cp "$build"/_core*.so "$build/package/volary/"
    # Python itself is not sanitized and keeps what it allocates until its end: no search for leaks. What the sanitizer says is not captured.
    export PYTHONPATH=$build/package PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
    LD_PRELOAD=$(clang++-19 -print-file-name=libclang_rt.asan-x86_64.so) exec "$python" -m pytest -p no:cacheprovider --capture=sys "${@:2}" \
      tests/test_{batch,build,control,envs,misuse,multi,processes,recording,views,world}.py
    ;;
  *)
    echo "usage: $0 tests [ARGUMENT...] | types | notebooks | mavlink FILE... | oracle PROGRAM | sanitized [ARGUMENT...]"
    exit 2
    ;;
esac
