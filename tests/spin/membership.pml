/* SPDX-FileCopyrightText: 2026 Volary contributors
   SPDX-License-Identifier: Apache-2.0

   A member dies; the coordinator removes it by an entry of the log that acts from the tick after the last committed one (src/cluster/coordinator.hpp). Two survivors
   have heard different numbers of the dead member's frames, settle with them, hear of the entry at any time and roll back. A committed tick was settled by both with
   the same members, and all ticks are committed in the end. GUARD = 0 commits without asking whether the sums know the entry. */
#ifndef GUARD
#define GUARD 1
#endif
#define T 3
#define AT(n, t) ((n) * (T + 1) + (t))
byte committed = 0, effective = 0;   /* effective 0: the entry is not made yet */
byte set[2], heard[2];               /* heard: ticks of the dead member that a survivor has frames of */
bool knows[2];
bool with[8];                        /* the tick was settled with the dead member's frame */
/* what the coordinator has of each survivor: the sum of a tick, whether it is with the dead member, whether it knew the entry */
bool has_sum[8], sum_with[8], sum_knew[8];

proctype Survivor(byte me) {
  do
  :: atomic { heard[me] < T && heard[me] < set[me] + 1 -> heard[me]++ }
  :: atomic { effective > 0 && !knows[me] ->
       knows[me] = true;
       if :: set[me] >= effective -> set[me] = effective - 1 :: else fi }
  :: atomic { set[me] < T && (heard[me] > set[me] || (knows[me] && set[me] + 1 >= effective)) ->
       set[me]++;
       with[AT(me, set[me])] = !(knows[me] && set[me] >= effective) }
  :: committed == T -> break
  od
}

/* a bundle carries all sums that are not committed, and says which entries they know; it may be lost */
active proctype Reports() {
  byte n, k;
  do
  :: atomic { committed < T -> select(n : 0 .. 1);
       for (k : 1 .. T) {
         if
         :: k > committed && k <= set[n] -> has_sum[AT(n, k)] = true; sum_with[AT(n, k)] = with[AT(n, k)]; sum_knew[AT(n, k)] = knows[n]
         :: else
         fi
       } }
  :: committed == T -> break
  od
}

active proctype Coordinator() {
  byte k;
  do
  :: atomic { effective == 0 && committed < T -> effective = committed + 1 }
  :: atomic { committed < T -> k = committed + 1;
       if
       :: has_sum[AT(0, k)] && has_sum[AT(1, k)] && (!GUARD || effective == 0 || k < effective || (sum_knew[AT(0, k)] && sum_knew[AT(1, k)])) ->
            committed = k;
            assert(sum_with[AT(0, k)] == sum_with[AT(1, k)]);
            assert(effective == 0 || sum_with[AT(0, k)] == (k < effective))
       :: else
       fi }
  :: committed == T -> break
  od
}

init { atomic { run Survivor(0); run Survivor(1) } }
