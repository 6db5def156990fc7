#SPDX - FileCopyrightText : 2026 Volary contributors
#SPDX - License - Identifier : Apache - 2.0
"""Reads an exported MCAP with the official Python reader (pip install mcap) and compares it with the CSV of the same recording.

usage: record_mcap_check.py FILE.mcap FILE.csv        the CSV with every tick of the MCAP
"""
import csv
import json
import sys

from mcap.reader import make_reader
from mcap.stream_reader import StreamReader


def main(mcap_path, csv_path):
    expected = {}
    with open(csv_path, newline="") as file:
        for row in list(csv.reader(file))[1:]:
            expected[(round(float(row[0]) * 1e6), row[2])] = [float(x) for x in row[5:8] + row[11:15]]
    compared, worst, last = 0, 0.0, -1
    with open(mcap_path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        names = {c.topic: summary.schemas[c.schema_id].name for c in summary.channels.values()}
        assert names == {"/tf": "foxglove.FrameTransforms", "/vehicles": "foxglove.SceneUpdate", "/events": "foxglove.Log"}, names
        for _, channel, message in reader.iter_messages():
            assert message.log_time >= last
            last = message.log_time
            if channel.topic != "/tf":
                continue
            for t in json.loads(message.data)["transforms"]:
                p, q = t["translation"], t["rotation"]
                values = [p["x"], p["y"], p["z"], q["w"], q["x"], q["y"], q["z"]]
                wanted = expected[(round(message.log_time / 1e3), t["child_frame_id"].rsplit("#", 1)[0])]
                worst = max(worst, max(abs(a - b) for a, b in zip(values, wanted)))
                compared += 1
        file.seek(0)
        records = sum(1 for _ in StreamReader(file, validate_crcs=True).records)
    assert compared > 0 and worst <= 5.1e-5, worst  # the CSV has four places
    print(f"{compared} transforms equal, {summary.statistics.message_count} messages, {records} records")


main(*sys.argv[1:])
