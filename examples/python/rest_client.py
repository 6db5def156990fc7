# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Sends a vehicle of a running `volary serve` to a place and waits until it is there. Python's standard library only.

    python3 rest_client.py [http://127.0.0.1:8642 [VEHICLE EAST NORTH UP]]
"""
import json, math, sys, time
import urllib.error, urllib.parse, urllib.request

server = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8642"


def ask(path, body=None, **query):
    """A GET, or a POST where there is a body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{server}/api/{path}?{urllib.parse.urlencode(query)}", data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {json.load(error)['error']}")


vehicles = ask("live/vehicles", limit=5)["vehicles"]
for v in vehicles:
    print(f"{v['id']:4} {v['name']:12} {v['state']:8} {v['mode']:8} at", *(f"{x:.2f}" for x in v["position"]))

name = sys.argv[2] if len(sys.argv) > 2 else vehicles[0]["name"]
goal = [float(x) for x in sys.argv[3:6]] or [5.0, 5.0, 6.0]
ask("live/goto", {"ids": [name], "position": goal})
distance, until = math.inf, ask("live/vehicles", ids=name)["time"] + 120
while distance > 0.3:
    time.sleep(0.2)
    now = ask("live/vehicles", ids=name, columns="setpoint.position")
    distance = math.dist(now["vehicles"][0]["position"], goal)
    print(f"{now['time']:7.2f} s  {name} is {distance:.2f} m away")
    if now["time"] > until:
        sys.exit(f"{name} did not arrive within 120 s")
print(f"{name} arrived")
