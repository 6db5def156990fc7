-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- Keeps a height above the ground by the vehicle's own range finder. A vehicle without one, or out of range, keeps the height above the start by its barometer.
params = { speed = 3, height = 6, gain = 0.8 }

-- m above the ground; nil: not measured
local function height_above_ground(me)
  local distance = me.sensors["range_finder.distance"]
  if not distance or me.sensors["range_finder.valid"] == 0 then return nil end
  return distance
end

function act(me)
  local p = me.params
  local height = height_above_ground(me)
  if not height then
    local above_start = me.sensors["barometer.height"] or me.position.z
    if not me.memory.start then me.memory.start = above_start end
    height = above_start - me.memory.start + p.height
  end
  local up = p.gain * (p.height - height)
  -- where the estimate is poor, slowly
  local speed = p.speed
  if me.estimate and me.estimate.position_std > 5 then speed = speed / 2 end
  fly(speed, 0, math.max(-2, math.min(2, up)))
end
