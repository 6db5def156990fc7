-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- Searches a square in rows until it sees a person, tells everybody where, and all who hear of it gather there.
params = { width = 100, row = 10, speed = 5, height = 15 }

function trigger(me)
  if me.mode == "disarmed" or me.mode == "land" then return 0 end
  return 1
end

local function next_corner(p, corner)
  local row = corner // 2
  local east = (row + corner) % 2 == 1
  return vec(east and p.width or 0, row * p.row, p.height)
end

function act(me)
  local p, memory = me.params, me.memory
  local person = seen("person")[1]
  if person and not memory.found then
    memory.found = person.position
    say("found", person.position)
  end
  for i, message in ipairs(heard("found")) do
    memory.found = memory.found or vec(table.unpack(message.values))
  end

  if memory.found then
    reward(2)
    go_to(memory.found + vec(0, 0, p.height))
    return
  end
  memory.corner = memory.corner or 0
  local corner = me.home + next_corner(p, memory.corner)
  local way = corner - me.position
  if way:length() < 2 then memory.corner = memory.corner + 1 end
  if next_corner(p, memory.corner).y > p.width then memory.corner = 0 end
  local want = limit(way, p.speed)
  fly(want.x, want.y, want.z)
end
