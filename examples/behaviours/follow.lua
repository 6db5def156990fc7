-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- Everybody follows whoever has the lowest id among those it hears: when the leader falls silent, the next one leads.
params = { distance = 6, speed = 3, height = 12, gain = 0.8 }

local function leader_of(me)
  local leader = me.others[1]   -- others come with the lowest id first
  if leader and leader.id < me.id then return leader end
end

function act(me)
  local p = me.params
  local up = me.ground + p.height - me.position.z
  local leader = leader_of(me)
  if not leader then
    role(0)
    fly(p.speed, 0, up)         -- the leader flies east
    return
  end

  -- where it is by now, and a place behind it for each who is before me in the line
  local rank = 1
  for i, other in ipairs(me.others) do
    if i > 1 and other.id < me.id then rank = rank + 1 end
  end
  role(rank)
  local now = leader.position + leader.velocity * leader.age
  local place = now - unit(leader.velocity) * (p.distance * rank)
  local want = limit(leader.velocity + p.gain * (place - me.position), me.max_speed)
  fly(want.x, want.y, up)
end
