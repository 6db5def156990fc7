#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The tests of the Python package, in the environment that `./volary test` has made:
#   python_tests.sh tests [ARGUMENT of pytest...] | types | notebooks
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
  *)
    echo "usage: $0 tests [ARGUMENT...] | types | notebooks"
    exit 2
    ;;
esac
