# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads an exported NPZ with NumPy (pip install numpy) and compares every number with the CSV of the same recording.

usage: record_npz_check.py FILE.npz FILE.csv        both with the same --rate and --columns
"""
import csv
import sys

import numpy as np


def main(npz_path, csv_path):
    arrays = dict(np.load(npz_path).items())
    flocks = sorted({c["flock"] for c in arrays["columns"]})
    places = {}
    for flock in flocks:
        for k, number in enumerate(arrays[f"{flock}/vehicle"]):
            places[(flock, int(number))] = k
    times = {t: k for k, t in enumerate(arrays["time"])}
    columns = {(c["flock"], c["column"]): (arrays[f"{c['flock']}/{c['column']}"], c["numbers"].split()) for c in arrays["columns"]}
    compared = alive = 0
    with open(csv_path, newline="") as file:
        for row in csv.DictReader(file):
            flock, moment = row["flock"], times[float(row["time [s]"])]
            k = places[(flock, int(row["vehicle"]))]
            assert arrays[f"{flock}/alive"][moment, k]
            alive += 1
            for cell, text in row.items():
                label = cell.split(" [")[0]
                for (of, name), (array, parts) in columns.items():
                    if of != flock or not (label == name or any(label == f"{name}.{p}" for p in parts)):
                        continue
                    value = array[moment, k] if not parts else array[moment, k][parts.index(label[len(name) + 1:])]
                    if name == "mode":
                        assert arrays["mode_names"][value] == text, (cell, text)
                    elif text == "":
                        assert np.isnan(value), (cell, value)
                    else:
                        assert float(text) == value, (cell, text, value)
                    compared += 1
    total = sum(int(arrays[f"{flock}/alive"].sum()) for flock in flocks)
    assert alive == total, (alive, total)
    print(f"{compared} numbers equal, {alive} rows, arrays: {len(arrays)}")


main(*sys.argv[1:])
