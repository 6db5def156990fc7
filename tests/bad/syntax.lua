function act(me)
  if me.time > 3 do
  end
end
