function act(me)
  fly(me.time ^ 2, 0, 0)
end
