#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the two computed data files of the examples: examples/thrust_stand/seven_inch_stand.csv and assets/terrain/valley.tif.
import math
import pathlib
import random
import struct
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def stand_log():
    """Ten speeds up and down again. The stand takes 100 samples per second after a change of speed, and 20 once it has settled."""
    # rpm, N s2, m (torque over thrust), s, s: fits to the log of a DALPROP T7056 in alspitz/esc_test
    top, square, ratio, up, down = 16060, 4.54e-6, 0.0130, 0.039, 0.070
    noise = random.Random(7)
    shares = [0] + [k / 10 for k in range(1, 11)] + [k / 10 for k in range(9, 0, -1)] + [0]
    rows, time, speed = ["Time (s),Torque (N·m),Thrust (gf),Motor Electrical Speed (RPM)"], 0.0, 0.0
    for share in shares:
        goal, start = share * top, time
        while time < start + 1.5:
            thrust = square * (speed * math.pi / 30) ** 2
            rpm = 0 if speed < 1 else round(speed + noise.gauss(0, 15))
            rows.append(f"{time:.4f},{-ratio * thrust + 0.002 + noise.gauss(0, 0.0006):.5f},{thrust / 9.80665e-3 - 3 + noise.gauss(0, 5):.1f},{rpm}")
            step = (0.01 if time < start + 0.45 else 0.05) + noise.gauss(0, 0.0004)
            speed = goal + (speed - goal) * math.exp(-step / (up if goal > speed else down))
            time += step
    return "\n".join(rows) + "\n"


def valley(east, north):
    """Height in m above the sea of a valley with a mountain in the north, hills around it, and a rolling floor."""
    def hill(height, e, n, wide, deep):
        return height * math.exp(-(((east - e) / wide) ** 2 + ((north - n) / deep) ** 2) / 2)
    hills = hill(250, 708, 1575, 500, 500) + hill(120, -1500, 2300, 900, 600) + hill(90, 200, -2900, 1500, 500) + hill(60, 2400, -300, 500, 500)
    return 560 + hills + 8 * math.sin(east / 430) * math.cos(north / 610)


def geotiff(latitude, longitude, columns, rows):
    """Heights in whole metres every three seconds of arc about a place, in degrees of WGS 84, as a GeoTIFF with one compressed strip."""
    spacing, metres = 1 / 1200, 111_195.0
    west, top = longitude - spacing * (columns - 1) / 2, latitude + spacing * (rows - 1) / 2
    data = b""
    for r in range(rows):
        north = (top - r * spacing - latitude) * metres
        line = [round(valley((west + c * spacing - longitude) * metres * math.cos(math.radians(latitude)), north)) for c in range(columns)]
        data += struct.pack(f"<{columns}h", *[h - before for h, before in zip(line, [0] + line)])  # predictor 2: differences
    data = zlib.compress(data, 9)
    keys = [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326]  # geographic, heights at points, WGS 84
    short, long_, double, text = (3, "H"), (4, "I"), (12, "d"), (2, "s")
    fields = [(256, short, [columns]), (257, short, [rows]), (258, short, [16]), (259, short, [8]), (262, short, [1]),
              (270, text, b"Heights in m of a valley that does not exist, computed for Volary\0"), (273, long_, [0]), (277, short, [1]), (278, short, [rows]),
              (279, long_, [len(data)]), (317, short, [2]), (339, short, [2]), (33550, double, [spacing, spacing, 0]),
              (33922, double, [0, 0, 0, west, top, 0]), (34735, short, keys)]
    at, directory, extra = 8 + 2 + 12 * len(fields) + 4, b"", b""
    sizes = [len(v) if k is text else struct.calcsize(f"<{len(v)}{k[1]}") for _, k, v in fields]
    fields[6] = (273, long_, [at + sum(s + s % 2 for s in sizes if s > 4)])
    for tag, kind, values in fields:
        value = values if kind is text else struct.pack(f"<{len(values)}{kind[1]}", *values)
        directory += struct.pack("<HHI", tag, kind[0], len(values)) + (value.ljust(4, b"\0") if len(value) <= 4 else struct.pack("<I", at + len(extra)))
        if len(value) > 4:
            extra += value + b"\0" * (len(value) % 2)
    return b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(fields)) + directory + struct.pack("<I", 0) + extra + data


(ROOT / "examples/thrust_stand/seven_inch_stand.csv").write_text(stand_log(), encoding="utf-8")
(ROOT / "assets/terrain/valley.tif").write_bytes(geotiff(-35.29, -15.0, 96, 84))
