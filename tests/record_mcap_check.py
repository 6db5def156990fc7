# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads an exported MCAP with the official Python reader (pip install mcap) and compares it with the CSV of the same recording.

usage: record_mcap_check.py FILE.mcap FILE.csv        both with the same --rate and the default columns
"""
import csv
import json
import sys

from mcap.reader import make_reader
from mcap.stream_reader import StreamReader


def main(mcap_path, csv_path):
    expected, rows = {}, {}
    with open(csv_path, newline="") as file:
        for row in csv.DictReader(file):
            row = {cell.split(" [")[0]: text for cell, text in row.items()}
            moment = round(float(row["time"]) * 1e6)
            pose = [row[f"position.{k}"] for k in "xyz"] + [row[f"attitude.{k}"] for k in "wxyz"]
            expected[(moment, row["world"], row["name"])] = [float(x) for x in pose]
            rows[(moment, row["vehicle"])] = row
    compared, numbers, last = 0, 0, -1
    with open(mcap_path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        names = {c.topic: summary.schemas[c.schema_id].name for c in summary.channels.values()}
        assert names["/tf"] == "foxglove.FrameTransforms" and names["/vehicles"] == "foxglove.SceneUpdate" and names["/events"] == "foxglove.Log", names
        for _, channel, message in reader.iter_messages():
            assert message.log_time >= last
            last = message.log_time
            moment = round(message.log_time / 1e3)
            content = json.loads(message.data)
            if channel.topic == "/tf":
                compared += len(content["transforms"])
            if not channel.topic.startswith("/flocks/"):
                continue
            for vehicle in content["vehicles"]:
                row = rows[(moment, str(vehicle["id"]))]
                wanted = expected[(moment, str(vehicle["world"]), vehicle["name"])]
                assert [vehicle["position"][k] for k in "xyz"] + [vehicle["attitude"][k] for k in "wxyz"] == wanted
                for name, text in row.items():
                    value = vehicle
                    for part in name.split("."):
                        value = value[int(part)] if isinstance(value, list) else value.get(part) if isinstance(value, dict) else None
                    if value is not None and name not in ("name", "world"):
                        assert text == value if name == "mode" else float(text) == value, (name, text, value)
                        numbers += 1
        file.seek(0)
        records = sum(1 for _ in StreamReader(file, validate_crcs=True).records)
    assert compared == len(rows) and numbers > 0
    print(f"{compared} transforms and {numbers} numbers equal, {summary.statistics.message_count} messages, {records} records")


main(*sys.argv[1:])
