/* SPDX-FileCopyrightText: 2026 Volary contributors
   SPDX-License-Identifier: Apache-2.0

   Strict settling (src/cluster/node.hpp) of two nodes with a horizon of K ticks. Any tick may hold a contact that changes one or both nodes' vehicles; nodes
   advance as if there were none. A frame is (node, tick, corrections); the network is a set of frames. Whatever the contacts and the order of messages, a settled
   tick is made of frames that knew every earlier contact, and both nodes reach the last tick. GUARD = 0 leaves out the check of corrections. */
#ifndef GUARD
#define GUARD 1
#endif
#define T 3
#define K 2
#define F(n, t, c) (((n) * (T + 1) + (t)) * (T + 1) + (c))
#define AT(n, t) ((n) * (T + 1) + (t))
bool contact[8];         /* settling this tick changes this node's vehicles */
bool net[32];            /* frames on the network */
byte adv[2], set[2];
byte corr[4];            /* corr[me * 2 + who]: contacts of `who` in the ticks that `me` has settled */
byte have[8];            /* of the other node's frame of a tick: corrections + 1 */
byte own[8];             /* of one's own frame: corrections */

inline count_contacts(n, before, result) {
  result = 0; k = 1;
  do
  :: k < before -> result = result + contact[AT(n, k)]; k++
  :: else -> break
  od
}

proctype Node(byte me) {
  byte other = 1 - me, t, c, k, right;
  do
  :: atomic { adv[me] < T && adv[me] < set[me] + K ->
       adv[me]++; own[AT(me, adv[me])] = corr[me * 2 + me]; net[F(me, adv[me], corr[me * 2 + me])] = true }
  :: atomic { set[me] < T -> select(t : 1 .. T); select(c : 0 .. T);
       if
       :: net[F(other, t, c)] && t > set[me] && have[AT(me, t)] < c + 1 && (c >= corr[me * 2 + other] || !GUARD) -> have[AT(me, t)] = c + 1
       :: else
       fi }
  :: atomic { set[me] < adv[me] && have[AT(me, set[me] + 1)] > 0 && (have[AT(me, set[me] + 1)] - 1 == corr[me * 2 + other] || !GUARD) ->
       set[me]++;
       count_contacts(other, set[me], right);
       assert(have[AT(me, set[me])] - 1 == right);
       count_contacts(me, set[me], right);
       assert(own[AT(me, set[me])] == right);
       if
       :: contact[AT(other, set[me])] ->
            corr[me * 2 + other]++; k = set[me] + 1;
            do
            :: k <= T -> if :: GUARD && have[AT(me, k)] <= corr[me * 2 + other] -> have[AT(me, k)] = 0 :: else fi; k++
            :: else -> break
            od
       :: else
       fi;
       if
       :: contact[AT(me, set[me])] -> corr[me * 2 + me]++; adv[me] = set[me]
       :: else
       fi }
  :: set[me] == T -> break
  od
}

init {
  byte i;
  atomic {
    for (i : 1 .. T) {
      if :: contact[AT(0, i)] = true :: skip fi;
      if :: contact[AT(1, i)] = true :: skip fi
    }
    run Node(0); run Node(1)
  }
}
