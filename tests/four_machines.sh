#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# docs/federation-machines.md, word by word, on four machines: the network namespaces of tools/netns_impair.sh, each with a root, a HOME, a name and an sshd of its own. The root of
# a machine is an overlay over that of this one, in which machines 2 to 4 lack the project. Needs root; exit code 77 where the kernel does not allow it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
project=$PWD
PATH="$PATH:/usr/sbin:/sbin"
fail() {
  printf 'four_machines: %s\n' "$*" >&2
  exit 1
}
skip() {
  printf 'four_machines: skipped: %s\n' "$*" >&2
  exit 77
}
((EUID == 0)) || skip "only root can make machines"
command -v ip >/dev/null && command -v ssh-keygen >/dev/null || skip "ip or ssh is missing (packages iproute2, openssh-client)"

work=$(mktemp -d /var/tmp/volary-machines.XXXXXX)
mount -t tmpfs tmpfs "$work" || skip "this kernel mounts no tmpfs here"  # layers of an overlay must not lie in each other
leave() {
  tools/netns_impair.sh down machines
  grep -o "$work/[^ ]*" /proc/self/mounts | sort -r | xargs -r -n1 umount -l 2>/dev/null || true
  umount -l "$work" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap leave EXIT

# ---------------------------------------------------------------- four roots
# overlay NAME LOWER: a root of its own at $work/NAME
overlay() {
  mkdir -p "$work/$1" "$work/upper-$1" "$work/space-$1"
  mount -t overlay overlay -o "lowerdir=$2,upperdir=$work/upper-$1,workdir=$work/space-$1" "$work/$1" || skip "this kernel mounts no overlay here"
}
overlay image /
mount --bind /dev "$work/image/dev"
mount -t proc proc "$work/image/proc"
# an sshd for the machines, and for nobody else: no service of this machine is touched
printf '#!/bin/sh\nexit 101\n' >"$work/image/usr/sbin/policy-rc.d"
chmod 755 "$work/image/usr/sbin/policy-rc.d"
if [[ ! -x $work/image/usr/sbin/sshd ]]; then
  { chroot "$work/image" apt-get update -q && chroot "$work/image" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends openssh-server; } >"$work/apt.log" 2>&1 ||
    { tail -n 5 "$work/apt.log"; skip "openssh-server cannot be installed"; }
fi
umount -l "$work/image/proc" "$work/image/dev"
umount "$work/image"

tools/netns_impair.sh up machines 4 || skip "this kernel makes no network namespaces here"
for k in 1 2 3 4; do
  root=$work/m$k
  overlay "m$k" "$work/upper-image:/"
  mount --bind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mount -t tmpfs tmpfs "$root/run"
  mount -t tmpfs tmpfs "$root/root"
  chmod 700 "$root/root"
  # the others have no clone and no built program
  ((k == 1)) || mount -t tmpfs tmpfs "$root$project"
  mkdir -p "$root/run/sshd" "$root/root/.ssh"
  chmod 700 "$root/root/.ssh"
  rm -f "$root"/etc/ssh/ssh_host_*
  ssh-keygen -q -t ed25519 -N "" -f "$root/etc/ssh/ssh_host_ed25519_key"
  echo "root:password$k" | chroot "$root" chpasswd
done
# on_machine K COMMAND...: in its network, with its name and root; its environment is that of a login
on_machine() {
  local k=$1
  shift
  tools/netns_impair.sh exec machines "$k" unshare --uts --mount bash -c 'hostname "machine$1"; root=$2; mount -t proc proc "$root/proc"; shift 2; exec chroot "$root" env -i HOME=/root PATH="$PATH" TERM=dumb SSH_ASKPASS=/root/askpass SSH_ASKPASS_REQUIRE="${ASKS:-never}" "$@"' bash "$k" "$work/m$k" "$@"
}
for k in 2 3 4; do
  on_machine "$k" /usr/sbin/sshd -D -e -o PermitRootLogin=yes -o UsePAM=no 2>"$work/sshd$k.log" &
  # whoever sits at machine 1 knows the keys and the passwords
  echo "10.203.0.$k $(cut -d' ' -f1,2 "$work/m$k/etc/ssh/ssh_host_ed25519_key.pub")" >>"$work/m1/root/.ssh/known_hosts"
done
cat >"$work/m1/root/askpass" <<'ASK'
#!/bin/sh
case $1 in *10.203.0.*) echo "$1" | sed -n "s/.*10\.203\.0\.\([0-9]\).*/password\1/p" ;; esac
ASK
chmod 700 "$work/m1/root/askpass"
sleep 1

# ---------------------------------------------------------------- the page, word by word
page=docs/federation-machines.md
sed -n '/^   ```yaml/,/^   ```/{s/^   //;/^```/d;p}' "$page" >"$work/m1$project/machines.yaml"
mapfile -t commands < <(sed -n 's/^ \{4,7\}\(\S.*\)$/\1/p' "$page" | grep -E '^(ssh-|ssh |scp |\./volary )')
((${#commands[@]} == 15)) || fail "the page has ${#commands[@]} commands; this test knows the order of 15"
type_in() {
  printf 'machine1$ %s\n' "$1"
  on_machine 1 bash -c "cd '$project' && $1"
}
for k in 0 1 2 3; do ASKS=force type_in "${commands[k]}" </dev/null >/dev/null 2>"$work/ssh.log" || { cat "$work/ssh.log"; fail "this command failed"; }; done
# the libraries are in the image; a machine without a way to the packages says so
for k in 4 5 6; do [[ ${commands[k]} == "ssh root@10.203.0.$((k - 2)) apt-get install -y lib"* ]] || fail "another command was expected: ${commands[k]}"; done

wait_for() { # TEXT FILE SECONDS
  local k
  for ((k = 0; k < $3 * 5; ++k)); do
    grep -q "$1" "$2" 2>/dev/null && return
    sleep 0.2
  done
  cat "$2"
  fail "'$1' was not said within $3 s"
}
expected=$(type_in "./volary run mixed --duration 20 --hash" | tail -n 1)
[[ $expected =~ ^[0-9a-f]{16}$ ]] || fail "one process says '$expected' instead of a hash"

type_in "${commands[7]}" >"$work/up.log" 2>&1 &
flying=$!
for ((k = 0; k < 150; ++k)); do
  type_in "${commands[8]}" >"$work/status.log" 2>&1 && grep -c running "$work/status.log" | grep -q 4 && break
  sleep 0.4
done
cat "$work/status.log"
for k in 1 2 3 4; do grep -q "machine$k" "$work/status.log" || { cat "$work/up.log"; fail "no node runs on machine$k"; }; done
for k in 2 3 4; do
  [[ -x $(echo "$work/m$k"/root/.cache/volary/volary-*) ]] || fail "the program was not copied to machine$k"
done
type_in "${commands[9]}"
wait "$flying" || true
sleep 3
for k in 2 3 4; do
  if ip netns pids "volary-machines-$k" | xargs -r ps -o args= -p | grep "^.cache/volary"; then fail "a node still runs on machine$k"; fi
done

# the whole flight, with the process of one machine killed in the middle
type_in "./volary federation up mixed --nodes 4 --hosts machines.yaml --speed 2 --duration 20 --hash" >"$work/hash.log" 2>"$work/hash.err" &
flying=$!
for ((k = 0; k < 300; ++k)); do
  type_in "./volary federation status" 2>/dev/null | grep -q 'tick [1-9][0-9][0-9]* of 2000' && break
  sleep 0.2
done
node_of() { ip netns pids "volary-machines-$1" | xargs -r ps -o pid=,args= -p | awk '/^ *[0-9]+ .cache\/volary\/volary-[0-9a-f]+ node/ { print $1 }'; }
[[ -n $(node_of 3) ]] || fail "no node was found on machine3"
kill -9 "$(node_of 3)"
wait "$flying" || { cat "$work/hash.err"; fail "the federation failed"; }
grep -q "node 1 is started again" "$work/hash.err" || { cat "$work/hash.err"; fail "the node of machine3 was not started again"; }
[[ $(tail -n 1 "$work/hash.log") == "$expected" ]] || fail "the hash is $(tail -n 1 "$work/hash.log"), not $expected"

# somebody joins by hand
type_in "${commands[10]} --hash" >"$work/join.log" 2>"$work/join.err" &
flying=$!
wait_for "waits for 1 nodes" "$work/join.err" 60
sleep 1
for k in 11 12 13; do type_in "${commands[k]}"; done
type_in "${commands[14]}"
wait "$flying" || { cat "$work/join.err"; fail "the federation with a guest failed"; }
[[ $(tail -n 1 "$work/join.log") == "$expected" ]] || fail "with a guest the hash is $(tail -n 1 "$work/join.log"), not $expected"

# nothing listens beyond 127.0.0.1 when nobody asked for it
type_in "./volary federation up mixed --nodes 2 --speed 1 --duration 5 --headless" >/dev/null 2>&1 &
flying=$!
sleep 4
ip netns exec volary-machines-1 ss -Hltn | awk '{ print $4 }' >"$work/listening"
grep -q '^127\.0\.0\.1:' "$work/listening" || fail "no broker was found: $(cat "$work/listening")"
if grep -v '^127\.0\.0\.1:\|^\[::1\]:' "$work/listening"; then fail "something listens beyond this machine (above)"; fi
wait "$flying"
echo "four_machines: hash $expected on one machine, on four, and with a guest"
