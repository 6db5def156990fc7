#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The tests of the page, and of the program through what others read of it:
#   web_tests.sh unit | wire | reference | notices | program | programs | browser [FILE...]
# `./volary test` has set up Node and built the page before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../web"
if [[ ! -d node_modules ]]; then
  echo "web/node_modules is missing: ./volary test sets it up"
  exit 1
fi
# the Node that the lockfile pins
export PATH="$PWD/node_modules/.bin:$PATH"
run=(node --test --test-concurrency=1 --experimental-transform-types --disable-warning=ExperimentalWarning)
case ${1:-} in
  unit) node ../tools/check_lockfile.mjs && npm test --silent ;;
  language) node ../tools/lint_language.mjs ;;
  browser)
    # A real browser with software graphics on a shared machine may starve for minutes: a suite that fails is run once more, and what failed stays in the log.
    "${run[@]}" "${@:2}" && exit 0
    echo "FAILED AT THE FIRST TRY (above): ${*:2}: once more"
    "${run[@]}" "${@:2}"
    ;;
  program) "${run[@]}" "../tests/*.test.mjs" ;;
  programs) "${run[@]}" "../tests/long/*.test.mjs" ;;
  wire) node ../tools/generate_wire.mjs --check && node ../tools/generate_mavlink.mjs --check ;;
  reference) node ../tools/generate_reference.mjs --check ;;
  notices) node ../tools/third_party.mjs --check ;;
  *)
    echo "usage: $0 unit | wire | reference | notices | program | programs | browser [FILE...]"
    exit 2
    ;;
esac
