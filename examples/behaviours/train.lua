-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- A train: every vehicle keeps a distance of `gap` metres behind the vehicle with the next lower id. The first one flies east.
params = { gap = 5, speed = 2, gain = 0.4, height = 10 }

-- of the vehicles that are heard, the one with the next lower id
local function ahead_of(me)
  local ahead
  for i, other in ipairs(me.others) do
    if other.id < me.id then ahead = other end   -- lowest id first: the last one is the next
  end
  return ahead
end

function act(me)
  local p = me.params
  local ahead = ahead_of(me)
  local speed = p.speed
  if ahead then
    local gap = ahead.position.x + ahead.velocity.x * ahead.age - me.position.x
    speed = p.speed + p.gain * (gap - p.gap)
    plot("gap", gap)
    plot("speed", speed)
    if speed < 0 then log(string.format("gap %.1f m, speed %.1f m/s", gap, speed)) end
  end
  fly(speed, 0, me.ground + p.height - me.position.z)
end
