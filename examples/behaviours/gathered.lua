-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- A task: all searchers are about the person, seen from above, wherever it has walked to.
params = { within = 15 }

function holds(world)
  local person, there, all = vehicles("lost")[1], 0, vehicles("searchers")
  for i, v in ipairs(all) do
    local way = v.position - person.position
    if v.alive and length(vec(way.x, way.y, 0)) < world.params.within then there = there + 1 end
  end
  return there == #all, there .. " of " .. #all .. " are there"
end
