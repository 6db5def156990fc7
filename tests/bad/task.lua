params = { distance = 3 }

function holds(world)
  return #world.vehicles > 3
end
