/* SPDX-FileCopyrightText: 2026 Volary contributors
   SPDX-License-Identifier: Apache-2.0

   Alignment (src/cluster/aligner.hpp) with loss, duplication, reordering, a crash and a restart. The network is a set of messages (node, incarnation, tick): a
   message may be read any number of times, in any order, or never. GUARD = 0 leaves out the fence: a late message of the dead incarnation then aligns a tick that the
   restarted node has not computed. */
#ifndef GUARD
#define GUARD 1
#endif
#define N 2
#define K 2
#define IDX(n, i, h) (((n) * 2 + (i)) * (K + 1) + (h))
byte trigger = 0, aligned = 0, crashes = 0;
byte done[N], inc[N], front[N], known_inc[N];
bool up[N];
bool net[12];

active proctype Triggers() {
  do
  :: atomic { trigger < K -> trigger++ }
  :: trigger == K -> break
  od
}

proctype Node(byte n) {
  do
  :: atomic { up[n] && done[n] < trigger -> done[n]++; net[IDX(n, inc[n], done[n])] = true }
  :: atomic { up[n] && done[n] > 0 && !net[IDX(n, inc[n], done[n])] -> net[IDX(n, inc[n], done[n])] = true }
  :: atomic { up[n] && crashes < 1 && aligned < K -> crashes++; up[n] = false }
  :: atomic { !up[n] && inc[n] < 1 ->
       inc[n]++; up[n] = true; done[n] = aligned;
       if :: GUARD -> known_inc[n] = inc[n]; front[n] = aligned :: else fi }
  :: aligned == K -> break
  od
}

active proctype Loss() {
  byte i;
  do
  :: atomic { aligned < K -> select(i : 0 .. 11); net[i] = false }
  :: aligned == K -> break
  od
}

active proctype Aligner() {
  byte n, i, h, m, old;
  do
  :: atomic { aligned < K -> select(n : 0 .. 1); select(i : 0 .. 1); select(h : 1 .. 2);
       if
       :: net[IDX(n, i, h)] && i >= known_inc[n] ->
            if :: i > known_inc[n] -> known_inc[n] = i :: else fi;
            if :: h > front[n] -> front[n] = h :: else fi;   /* a message carries all earlier ticks */
            old = aligned; m = K;
            if :: front[0] < m -> m = front[0] :: else fi;
            if :: front[1] < m -> m = front[1] :: else fi;
            if :: m > aligned -> aligned = m :: else fi;
            assert(aligned >= old);
            assert(aligned <= trigger);
            assert(!up[0] || done[0] >= aligned);
            assert(!up[1] || done[1] >= aligned)
       :: else
       fi }
  :: aligned == K -> break
  od
}

init { atomic { up[0] = true; up[1] = true; run Node(0); run Node(1) } }
