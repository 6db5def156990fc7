# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Steers a flock of a federation: sends its vehicles to a place and waits until the first of them is there. It needs paho-mqtt.

    volary federation up mixed --nodes 2 --api
    volary federation invite operator.json --for operator
    python3 steer_flock.py operator.json [FLOCK EAST NORTH UP]
"""
import json, math, queue, sys, time

import paho.mqtt.client as mqtt

with open(sys.argv[1]) as file:
    invitation = json.load(file)
flock = sys.argv[2] if len(sys.argv) > 2 else ""
goal = [float(x) for x in sys.argv[3:6]] or [5.0, 5.0, 8.0]
account, prefix = invitation["account"], f"sw/{invitation['federation']}/"
host, port = invitation["address"].rsplit(":", 1)
order, physics = prefix + "order/" + account, prefix + "physics/" + account
hellos, rosters, answers, telemetry = (queue.Queue() for _ in range(4))


def hear(_client, _data, message):
    where = {"hello": hellos, "roster": rosters, "answer": answers, "telemetry": telemetry}
    where[message.topic[len(prefix):].removeprefix("rendering/").split("/")[0]].put(json.loads(message.payload))


api = [mqtt.CallbackAPIVersion.VERSION2] if hasattr(mqtt, "CallbackAPIVersion") else []  # paho 2 asks for it
client = mqtt.Client(*api, protocol=mqtt.MQTTv5)
client.username_pw_set(account, invitation["password"])
client.on_message = hear
topics = ["rendering/hello", "rendering/roster", "rendering/telemetry/+", "answer/" + account]
client.on_connect = lambda *_: client.subscribe([(prefix + t, 1) for t in topics])
client.connect(host, int(port))
client.loop_start()


def command(topic, message, number):
    """Publishes a message and waits for its answer; a refusal ends the program."""
    client.publish(topic, json.dumps({"id": number, **message}), qos=1)
    while True:
        answer = answers.get(timeout=60)
        if answer.get("id") == number:
            break
    if not answer["ok"]:
        sys.exit(f"refused: {answer['error']}")


flocks = [f["name"] for f in hellos.get(timeout=60)["flocks"]]
flock = flock or flocks[0]
if flock not in flocks:
    sys.exit(f"there is no flock '{flock}'; there are {', '.join(flocks)}")
vehicles = [v for v in rosters.get(timeout=60)["vehicles"] if flocks[v["flock"]] == flock]
names = [v["name"] for v in vehicles]

# Order: one command for the whole flock. The position is that of its centre.
command(order, {"order": "goto", "ids": names, "position": goal}, 1)
# Physics: how one vehicle does, ten times a second
command(physics, {"vehicle": names[0], "telemetry": 10}, 2)

first = telemetry.get(timeout=60)
start, until = first["position"], time.monotonic() + 240
print(f"{flock}: {len(names)} vehicles leave for {goal}")
moved, calm = 0.0, 0
while calm < 10:
    now = telemetry.get(timeout=60)
    moved = math.dist(now["position"], start)
    # it has gone somewhere and stands there
    calm = calm + 1 if moved > 1 and math.hypot(*now["velocity"]) < 0.1 else 0
    if time.monotonic() > until:
        sys.exit(f"{names[0]} did not arrive within 240 s")
print(f"{names[0]} has moved {moved:.1f} m and holds at {', '.join(f'{x:.2f}' for x in now['position'])} ({now['mode']})")
# Physics: fly it by a setpoint, as a program on board would
command(physics, {"vehicle": names[0], "setpoint": {"level": "velocity", "velocity": [0, 0, 0.5]}}, 3)
before = now["position"][2]
while telemetry.get(timeout=60)["position"][2] < before + 0.5:
    if time.monotonic() > until:
        sys.exit(f"{names[0]} did not climb")
command(physics, {"vehicle": names[0], "mode": "hold"}, 4)
print(f"{names[0]} has climbed by a setpoint of velocity")
client.loop_stop()
