-- SPDX-FileCopyrightText: 2026 Volary contributors
-- SPDX-License-Identifier: Apache-2.0
--
-- A flock after Reynolds (1987): keep apart, fly as the others fly, stay together.
params = { range = 20, apart = 4, separation = 2, alignment = 1, cohesion = 0.05, speed = 4, height = 10 }

function act(me)
  local p = me.params
  local away, velocity, centre, n = vec(0, 0, 0), vec(0, 0, 0), vec(0, 0, 0), 0
  for other, offset, distance in neighbours(p.range) do
    if distance > 0 and distance < p.apart then
      away = away - offset * ((p.apart - distance) / distance)
    end
    velocity = velocity + other.velocity
    centre = centre + offset
    n = n + 1
  end

  local want = me.velocity
  if n > 0 then
    want = want + p.separation * away + p.alignment * (velocity / n - me.velocity) + p.cohesion * (centre / n)
  end
  want = p.speed * unit(vec(want.x, want.y, 0))               -- never slower, never faster
  fly(want.x, want.y, me.ground + p.height - me.position.z)   -- and back to the height, 1 m/s for each metre
end
