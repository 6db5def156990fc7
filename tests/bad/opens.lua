local file = io.open("/etc/passwd")
function act(me) end
