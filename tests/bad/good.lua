params = { speed = 3 }

function act(me)
  fly(me.params.speed, 0, 0)
end
