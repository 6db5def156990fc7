params = { speed = 3 }

function act(me)
  local p = me.params
  fly(p.sped, 0, 0)
end
