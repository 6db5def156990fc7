#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# The wheel in a bare Debian 12 that has Python with venv and nothing of ours: no compiler, no development package. A virtual environment, the wheel file alone, and
# six lines that hover a Crazyflie. Needs root, debootstrap and a mirror; exit code 77 without them.
#   tests/wheel_bare_debian.sh
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PATH="$PATH:/usr/sbin:/sbin"
skip() {
  printf 'wheel_bare_debian: skipped: %s\n' "$*" >&2
  exit 77
}
((EUID == 0)) || skip "only root can make a Debian"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
wheel=$(ls -t "$source"/build/python/dist/volary-*-cp311-*.whl 2>/dev/null | head -n 1)
[[ -n $wheel ]] || { echo "there is no wheel for CPython 3.11 in build/python/dist: ./volary python makes it"; exit 1; }

work=$(mktemp -d /var/tmp/volary-debian.XXXXXX)
leave() {
  grep -o "$work/[^ ]*" /proc/self/mounts | sort -r | xargs -r -n1 umount -l 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap leave EXIT
debootstrap --variant=minbase --include=python3-venv,ca-certificates bookworm "$work/root" >"$work/debootstrap.log" 2>&1 || { tail -n 5 "$work/debootstrap.log"; skip "no Debian can be made"; }
cp "$wheel" "$work/root/root/"
cp -L /etc/resolv.conf /etc/hosts "$work/root/etc/" 2>/dev/null || true
[[ -f /etc/pip.conf ]] && cp /etc/pip.conf "$work/root/etc/"
cp -a /etc/ssl/certs/. "$work/root/etc/ssl/certs/" 2>/dev/null || true
cat >"$work/root/root/hover.py" <<'P'
import volary

world = volary.World({"flocks": [{"name": "cf", "airframe": "crazyflie", "vehicles": {"list": [{"position": [0, 0, 0]}]}, "start": "take_off"}]})
world.run(5)
print(world.frame.position[0], world.frame.mode[0])
assert abs(world.frame.position[0, 2] - 1.5) < 0.05
P
# where packages of Python come from, NumPy alone
pass=()
while IFS= read -r v; do pass+=("$v"); done < <(env | grep -E '^(PIP_|SSL_CERT_|REQUESTS_CA_BUNDLE|[a-zA-Z_]*_proxy|[A-Z_]*_PROXY)=' || true)
chroot "$work/root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root "${pass[@]}" bash -euc '
  cd /root
  begun=$(date +%s%N)
  python3 -m venv drones
  drones/bin/pip install --quiet --disable-pip-version-check ./*.whl
  drones/bin/python hover.py
  echo "virtual environment, wheel, NumPy and first hover: $((($(date +%s%N) - begun) / 1000000)) ms; wheel $(du -h ./*.whl | cut -f1), installed $(du -sh drones/lib/python3.11/site-packages/volary | cut -f1) and libraries $(du -sh drones/lib/python3.11/site-packages/volary.libs | cut -f1)"
  drones/bin/python -m volary run default --headless --no-record --quiet --hash
  if command -v cc || command -v g++; then exit 1; fi'
