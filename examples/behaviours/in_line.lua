-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- A task: those of the flock `line` who are alive fly one behind the other, each at its distance.
params = { distance = 6, tolerance = 1.5 }

function holds(world)
  local p, before, worst = world.params, nil, 0
  for i, v in ipairs(vehicles("line")) do
    if v.alive and before then
      worst = math.max(worst, math.abs(length(before.position - v.position) - p.distance))
    end
    if v.alive then before = v end
  end
  return worst < p.tolerance, string.format("the worst gap is %.1f m off", worst)
end
