#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# tools/install_broker.sh        installs the MQTT broker Mosquitto with apt-get where it is missing; does nothing where it is there
# tools/install_broker.sh --dry  says what it would do
#
# Debian's package enables a system-wide broker and starts it. Volary starts brokers of its own, one per federation, and wants no other.
# So the package's service is kept from starting, by two means that Debian documents:
#   1. while apt-get runs, /usr/sbin/policy-rc.d answers 101 ("not allowed") for mosquitto and 0 for all others. One that is
#      there already stays as it is; when it would allow the start, nothing is installed;
#   2. afterwards update-rc.d disables the service, for systemd and for SysV alike. Upgrades of the package respect that.
# At the end the script looks whether the service runs or is enabled, and fails when it is.
set -euo pipefail

say() { printf 'volary: %s\n' "$*" >&2; }
refuse() {
  say "$*"
  exit 1
}
# administrators' programs may be missing from an ordinary user's PATH
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
dry=0
[[ ${1:-} == --dry ]] && dry=1

command -v mosquitto >/dev/null && exit 0
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  refuse "the MQTT broker mosquitto is missing, and this is not Debian or Ubuntu: install it by hand, or name a broker with --broker HOST:PORT"
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || refuse "the MQTT broker mosquitto is missing, only root can install it and there is no sudo; as root: tools/install_broker.sh"
  as_root=(sudo)
fi

policy=/usr/sbin/policy-rc.d
if [[ -e $policy ]]; then
  answer=0
  "$policy" mosquitto start >/dev/null 2>&1 || answer=$?
  ((answer == 101)) || refuse "$policy exists and allows new services to start: Debian's mosquitto service would start. Install mosquitto by hand, then run: update-rc.d mosquitto disable"
fi

say "this package is missing and will be installed with apt-get:"
printf '  %-20s %s\n' mosquitto "the MQTT broker between the processes of a federation; its system service stays disabled" >&2
((dry)) && exit 0

made_policy=0
remove_policy() {
  if ((made_policy)); then "${as_root[@]}" rm -f "$policy"; fi
}
trap remove_policy EXIT
if [[ ! -e $policy ]]; then
  made_policy=1
  "${as_root[@]}" install -m 755 /dev/stdin "$policy" <<'POLICY'
#!/bin/sh
# made by Volary's tools/install_broker.sh for the time of one installation
case "$1" in mosquitto | mosquitto.service) exit 101 ;; esac
exit 0
POLICY
fi

if ! { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends mosquitto; } >&2; then
  refuse "the installation failed (above). Run this again, or install by hand: apt-get install mosquitto"
fi
"${as_root[@]}" update-rc.d mosquitto disable >&2 || refuse "mosquitto is installed but its service could not be disabled; as root: update-rc.d mosquitto disable"

# look, do not hope
if command -v systemctl >/dev/null && systemctl is-enabled --quiet mosquitto.service 2>/dev/null; then
  refuse "mosquitto is installed but its service is still enabled; as root: systemctl disable --now mosquitto"
fi
if [[ -d /run/systemd/system ]] && systemctl is-active --quiet mosquitto.service; then
  refuse "mosquitto is installed but its service runs; as root: systemctl disable --now mosquitto"
fi
command -v mosquitto >/dev/null || refuse "apt-get reported success, but there is no program mosquitto"
say "mosquitto is installed; its system service is disabled"
