# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the aligned frames of a federation: every vehicle at one instant. It needs paho-mqtt, and no right to write.

    volary federation up mixed --nodes 2 --api
    volary federation invite view.json --for view
    python3 aligned_frames.py view.json [FRAMES]
"""
import json, queue, struct, sys, zlib

import paho.mqtt.client as mqtt

with open(sys.argv[1]) as file:
    invitation = json.load(file)
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 100
MODES = ["disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop"]
messages = queue.Queue()


def padded(n):
    return (n + 3) // 4 * 4


def decode(data):
    """Tick, time, version of the roster and the vehicles of one frame (schema/wire.json)."""
    magic, version, kind, length, checksum = struct.unpack_from("<4sHHII", data)
    if magic != b"VLYF" or version != 1 or length != len(data) or zlib.crc32(data[16:]) != checksum:
        raise ValueError("not a frame of version 1")
    tick, time, *origin, n, roster = struct.unpack_from("<Qd3dII", data, 16)
    columns, at = [], 64
    for letter, size in [("f", 4)] * 3 + [("I", 4)] + [("e", 2)] * 3 + [("H", 2)]:
        columns.append(struct.unpack_from(f"<{n}{letter}", data, at))
        at += padded(size * n)
    east, north, up, attitude, v_east, v_north, v_up, state = columns
    vehicles = [
        {
            "position": [origin[0] + east[k], origin[1] + north[k], origin[2] + up[k]],
            "velocity": [v_east[k], v_north[k], v_up[k]],
            "attitude": attitude[k],
            "mode": MODES[state[k] & 15],
        }
        for k in range(n)
    ]
    return tick, time, roster, vehicles


api = [mqtt.CallbackAPIVersion.VERSION2] if hasattr(mqtt, "CallbackAPIVersion") else []  # paho 2 asks for it
client = mqtt.Client(*api, protocol=mqtt.MQTTv5)
client.username_pw_set(invitation["account"], invitation["password"])
prefix = f"sw/{invitation['federation']}/rendering/"
host, port = invitation["address"].rsplit(":", 1)
client.on_connect = lambda *_: client.subscribe([(prefix + "roster", 1), (prefix + "frame", 0)])
client.on_message = lambda _client, _data, message: messages.put((message.topic[len(prefix):], message.payload))
client.connect(host, int(port))
client.loop_start()

rosters, last, count = {}, -1, 0
while count < wanted:
    topic, payload = messages.get(timeout=60)
    if topic == "roster":  # who is in which place of the columns
        roster = json.loads(payload)
        rosters[roster["version"]] = [v["name"] for v in roster["vehicles"]]
        continue
    tick, time, version, vehicles = decode(payload)
    names = rosters.get(version)
    if names is None:  # its roster is still on the way
        continue
    if tick < last:
        sys.exit(f"tick {tick} came after {last}")
    last, count = tick, count + 1
    if count % 25 == 1:
        east, north, up = vehicles[0]["position"]
        print(f"tick {tick:6}  {time:7.2f} s  {len(vehicles)} vehicles  {names[0]} {vehicles[0]['mode']} at {east:.2f} {north:.2f} {up:.2f}")
print(f"read {count} aligned frames up to tick {last}")
client.loop_stop()
