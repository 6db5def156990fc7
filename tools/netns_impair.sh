#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# A lossy network on this machine, at packet level: network namespaces around one bridge. It touches only namespaces of its own.
#
#   tools/netns_impair.sh probe                     what this kernel offers, one line each
#   tools/netns_impair.sh up NAME NODES [options]   namespaces volary-NAME-1 ... and volary-NAME-hub, where a broker belongs
#   tools/netns_impair.sh exec NAME NODE COMMAND..  runs a command in one of them; NODE is a number or "hub"
#   tools/netns_impair.sh counts NAME               packets dropped by the loss, per link and direction
#   tools/netns_impair.sh down NAME                 removes them, and ends the processes inside
#   tools/netns_impair.sh run NAME NODES [options] -- COMMAND..   up, COMMAND with VOLARY_NETNS=volary-NAME, down in any case
#
# Options: --loss 0.05 (of the packets of every link, each way), --rate 10mbit (each way), --delay 30ms and --jitter 10ms (each way).
# Node K has the address 10.203.0.K, the hub 10.203.0.254. Between two nodes lie two links. Loss and delay are made by netem where the kernel has it, otherwise loss by
# nftables ("numgen random", where packets enter, so that senders do not notice). Delay needs netem: without it the script
# refuses, with exit code 3. `up` prints by which means each impairment is made; a benchmark repeats that line.
set -euo pipefail

PATH="$PATH:/usr/sbin:/sbin"
say() { printf 'netns_impair: %s\n' "$*" >&2; }
fail() {
  say "$2"
  exit "$1"
}
need() { command -v "$1" >/dev/null || fail 3 "the program $1 is missing (Debian package $2)"; }

# in a namespace of its own that is gone afterwards
try_inside() {
  local ns="volary-probe-$$" answer=0
  ip netns add "$ns" 2>/dev/null || return 1
  { ip -n "$ns" link add name end0 type veth peer name end1 && ip netns exec "$ns" "$@"; } >/dev/null 2>&1 || answer=1
  ip netns del "$ns"
  return $answer
}
has_namespaces() { try_inside true; }
has_netem() { try_inside tc qdisc add dev end0 root netem loss 1%; }
has_tbf() { try_inside tc qdisc add dev end0 root tbf rate 1mbit burst 32kb latency 50ms; }
has_nft() { command -v nft >/dev/null && try_inside nft 'table netdev t { chain c { type filter hook ingress device "end0" priority 0; numgen random mod 100 < 1 drop; }; }'; }

probe() {
  local kind
  for kind in namespaces netem tbf nft; do
    if "has_$kind"; then echo "$kind: yes"; else echo "$kind: no"; fi
  done
}

nodes_of() { ip netns list | awk '{print $1}' | grep -E "^volary-$1-([0-9]+|hub)\$" || true; }

down() {
  local ns
  for ns in $(nodes_of "$1"); do
    ip netns pids "$ns" | xargs -r kill -9 2>/dev/null || true
    ip netns del "$ns"
  done
}

check_name() { [[ $1 =~ ^[a-z0-9]{1,20}$ ]] || fail 2 "NAME has 1 to 20 small letters and digits, not \"$1\""; }
# 0.05 -> 500 of 10,000
loss_count() { awk -v p="$1" 'BEGIN { if (p !~ /^[0-9.]+$/ || p < 0 || p >= 1) exit 1; printf "%d", p * 10000 + 0.5 }'; }

# impair NAMESPACE DEVICE: what leaves by DEVICE is limited, what enters by it is lost
impair() {
  local ns=$1 device=$2 parent=root
  if [[ -n $rate ]]; then
    ip netns exec "$ns" tc qdisc add dev "$device" root handle 1: tbf rate "$rate" burst 32kb latency 50ms
    parent="parent 1:1"
  fi
  if [[ $means == netem ]]; then
    local delay_words=()
    [[ -n $delay ]] && delay_words=(delay "$delay" ${jitter:+"$jitter"})
    # shellcheck disable=SC2086
    ip netns exec "$ns" tc qdisc add dev "$device" $parent handle 10: netem "${delay_words[@]}" loss "$(awk -v p="$loss" 'BEGIN { print p * 100 "%" }')"
  elif ((lost > 0)); then
    ip netns exec "$ns" nft "table netdev volary { chain loss_$device { type filter hook ingress device \"$device\" priority 0; meta protocol ip numgen random mod 10000 < $lost counter drop; }; }"
  fi
}

up() {
  local name=$1 count=$2 k hub="volary-$1-hub"
  shift 2
  loss=0 rate="" delay="" jitter=""
  while (($# > 0)); do
    case $1 in
      --loss) loss=$2 ;;
      --rate) rate=$2 ;;
      --delay) delay=$2 ;;
      --jitter) jitter=$2 ;;
      *) fail 2 "unknown option $1" ;;
    esac
    shift 2
  done
  [[ $count =~ ^[0-9]+$ ]] && ((count >= 1 && count <= 200)) || fail 2 "NODES is a number from 1 to 200, not \"$count\""
  lost=$(loss_count "$loss") || fail 2 "--loss is a number from 0 to below 1, not \"$loss\""
  need ip iproute2
  has_namespaces || fail 3 "network namespaces with veth cannot be made here: root is needed, and a kernel that has them"
  means=none
  if ((lost > 0)) || [[ -n $delay ]]; then
    if has_netem; then
      means=netem
    elif [[ -n $delay ]]; then
      fail 3 "--delay needs netem, which this kernel lacks; message-level impairment (--impair-seed) has delays"
    elif has_nft; then
      means=nft
    else
      fail 3 "--loss needs netem or nftables; this kernel lacks netem, and nft is missing or cannot drop at random (Debian package nftables)"
    fi
  fi
  if [[ -n $rate ]]; then has_tbf || fail 3 "--rate needs tbf, which this kernel lacks"; fi
  [[ -z $(nodes_of "$name") ]] || fail 2 "namespaces volary-$name-... exist already: tools/netns_impair.sh down $name"

  trap "down $name" ERR  # now: the function's variables are gone later
  ip netns add "$hub"
  ip -n "$hub" link set lo up
  ip -n "$hub" link add br0 type bridge
  ip -n "$hub" addr add 10.203.0.254/24 dev br0
  ip -n "$hub" link set br0 up
  for ((k = 1; k <= count; ++k)); do
    ip netns add "volary-$name-$k"
    ip -n "$hub" link add "node$k" type veth peer name uplink netns "volary-$name-$k"
    ip -n "$hub" link set "node$k" master br0 up
    ip -n "volary-$name-$k" link set lo up
    ip -n "volary-$name-$k" addr add "10.203.0.$k/24" dev uplink
    ip -n "volary-$name-$k" link set uplink up
    impair "$hub" "node$k"
    impair "volary-$name-$k" uplink
  done
  trap - ERR
  echo "packet level: $count nodes; loss $loss each way by $means; rate ${rate:-unlimited}${rate:+ by tbf}; delay ${delay:-none}${jitter:+ +- $jitter}"
}

counts() {
  local ns
  for ns in $(nodes_of "$1"); do
    ip netns exec "$ns" nft list ruleset 2>/dev/null | awk -v ns="$ns" '/chain loss_/ { sub("loss_", "", $2); device = $2 } /counter packets/ { for (k = 1; k < NF; ++k) if ($k == "packets") print ns, device, $(k + 1) }'
    ip netns exec "$ns" tc -s qdisc show 2>/dev/null | awk -v ns="$ns" '/^qdisc netem/ { device = $5 } device != "" && /dropped/ { sub(",", "", $7); print ns, device, $7; device = "" }'
  done
}

run() {
  local name=$1 words=()
  while (($# > 0)) && [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  (($# > 1)) || fail 2 "no command after --"
  shift
  up "${words[@]}" >&2
  trap "down $name" EXIT
  VOLARY_NETNS="volary-$name" "$@"
}

command=${1:-}
shift || true
case $command in
  probe) probe ;;
  up | run | down | counts | exec)
    check_name "${1:-}"
    case $command in
      exec)
        ns="volary-$1-$2"
        shift 2
        exec ip netns exec "$ns" "$@"
        ;;
      *) "$command" "$@" ;;
    esac
    ;;
  *) fail 2 "usage: probe | up NAME NODES [options] | exec NAME NODE COMMAND | counts NAME | down NAME | run NAME NODES [options] -- COMMAND" ;;
esac
