params = { speed = 3 }
function atc(me) end
