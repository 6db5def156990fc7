/* SPDX-FileCopyrightText: 2026 Volary contributors
   SPDX-License-Identifier: Apache-2.0

   Alignment (src/cluster/aligner.hpp) of N nodes over K ticks with loss, duplication, reordering, crashes and restarts. The network is the set of all messages
   (node, incarnation, tick) that were ever sent: one may be read any number of times, in any order, as late as one likes, or never, which is loss. GUARD = 0 leaves
   out the fence: a late message of a dead incarnation then aligns a tick that the restarted node has not computed. */
#ifndef GUARD
#define GUARD 1
#endif
#ifndef N
#define N 2
#define K 4
#define LIVES 3          /* incarnations of a node: it crashes at most twice */
#endif
#define IDX(n, i, h) (((n) * LIVES + (i)) * (K + 1) + (h))
byte trigger = 0, aligned = 0;
byte done[N], inc[N], front[N], known_inc[N];
bool up[N];
bool net[N * LIVES * (K + 1)];

active proctype Triggers() {
  do
  :: atomic { trigger < K -> trigger++ }
  :: trigger == K -> break
  od
}

proctype Node(byte n) {
  do
  :: atomic { up[n] && done[n] < trigger -> done[n]++; net[IDX(n, inc[n], done[n])] = true }
  :: atomic { up[n] && inc[n] < LIVES - 1 && aligned < K -> up[n] = false }
  :: atomic { !up[n] ->
       inc[n]++; up[n] = true; done[n] = aligned;
       if :: GUARD -> known_inc[n] = inc[n]; front[n] = aligned :: else fi }
  :: aligned == K -> break
  od
}

active proctype Aligner() {
  byte n, i, h, m, k, old;
  do
  :: atomic { aligned < K -> select(n : 0 .. N - 1); select(i : 0 .. LIVES - 1); select(h : 1 .. K);
       if
       :: net[IDX(n, i, h)] && i >= known_inc[n] ->
            if :: i > known_inc[n] -> known_inc[n] = i :: else fi;
            if :: h > front[n] -> front[n] = h :: else fi;   /* a message carries all earlier ticks */
            old = aligned; m = K;
            for (k : 0 .. N - 1) { if :: front[k] < m -> m = front[k] :: else fi }
            if :: m > aligned -> aligned = m :: else fi;
            assert(aligned >= old);
            assert(aligned <= trigger);
            for (k : 0 .. N - 1) { assert(!up[k] || done[k] >= aligned) }
       :: else
       fi;
       n = 0; i = 0; h = 0; m = 0; k = 0; old = 0 }
  :: aligned == K -> break
  od
}

init { byte n; atomic { for (n : 0 .. N - 1) { up[n] = true; run Node(n) } } }
