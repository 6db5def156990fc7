#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The tests of the page: web_tests.sh unit | browser | wire. `./volary test` has set up Node and built the page before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../web"
if [[ ! -d node_modules ]]; then
  echo "web/node_modules is missing: ./volary test sets it up"
  exit 1
fi
# the Node that the lockfile pins
export PATH="$PWD/node_modules/.bin:$PATH"
case ${1:-} in
  unit) node ../tools/check_lockfile.mjs && npm test --silent ;;
  browser) npm run --silent test:browser ;;
  wire) node ../tools/generate_wire.mjs --check ;;
  *)
    echo "usage: $0 unit | browser | wire"
    exit 2
    ;;
esac
