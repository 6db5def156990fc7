# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads an export to ULog with pyulog and compares it with an export of the same run to CSV.

    record_ulog_check.py FOLDER RUN.csv
"""
import csv
import math
import pathlib
import sys

from pyulog import ULog


def rows_of(path: str) -> dict[str, list[dict[str, str]]]:
    """The rows of each vehicle by its name, with plain column names."""
    with open(path, newline="") as file:
        reader = csv.reader(file)
        header = [name.split(" [")[0] for name in next(reader)]
        vehicles: dict[str, list[dict[str, str]]] = {}
        for cells in reader:
            row = dict(zip(header, cells))
            vehicles.setdefault(row["name"], []).append(row)
    return vehicles


def compare(log: ULog, rows: list[dict[str, str]]) -> int:
    topics = {d.name: d.data for d in log.data_list}
    position, attitude, rates = topics["vehicle_local_position"], topics["vehicle_attitude"], topics.get("vehicle_angular_velocity")
    assert len(position["timestamp"]) == len(rows), f"{len(position['timestamp'])} samples, not {len(rows)}"
    compared = 0
    for k, row in enumerate(rows):
        value = lambda name: float(row[name])
        wanted = {"x": value("position.y"), "y": value("position.x"), "z": -value("position.z"), "vx": value("velocity.y"), "vy": value("velocity.x"), "vz": -value("velocity.z")}
        for name, want in wanted.items():
            assert abs(position[name][k] - want) <= 1e-6 * max(1.0, abs(want)), f"{name} of sample {k}: {position[name][k]}, not {want}"
            compared += 1
        assert abs(position["timestamp"][k] * 1e-6 - value("time")) < 1e-6
        # a unit quaternion from forward right down to north east down turns the body's x axis to where the other one does
        q = [attitude[f"q[{n}]"][k] for n in range(4)]
        w, x, y, z = (value(f"attitude.{n}") for n in "wxyz")
        north, east = 1 - 2 * (q[2] ** 2 + q[3] ** 2), 2 * (q[0] * q[3] + q[1] * q[2])
        assert math.isclose(east, 1 - 2 * (y * y + z * z), abs_tol=1e-5) and math.isclose(north, 2 * (w * z + x * y), abs_tol=1e-5), f"attitude of sample {k}"
        if rates is not None:
            for n, (axis, sign) in enumerate((("x", 1), ("y", -1), ("z", -1))):
                assert math.isclose(rates[f"xyz[{n}]"][k], sign * value(f"omega.{axis}"), abs_tol=1e-5), f"rate {axis} of sample {k}"
                compared += 1
    return compared


def main() -> None:
    folder, table = sys.argv[1:]
    vehicles, compared = rows_of(table), 0
    files = sorted(pathlib.Path(folder).glob("*.ulg"))
    for path in files:
        log = ULog(str(path), None, False)
        assert not log.file_corruption, path
        compared += compare(log, vehicles[log.msg_info_dict["vehicle_name"]])
    assert len(files) == len(vehicles)
    print(f"{len(files)} files, {compared} numbers are equal")


if __name__ == "__main__":
    main()
