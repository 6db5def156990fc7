# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Compares what `volary import LOG --info` finds in logs with what pyulog (.ulg) and pymavlink (.bin) find. VOLARY_PROGRAM names the program; default: volary.

    logs_check.py LOG...
"""
import collections
import json
import os
import subprocess
import sys


def found_by_volary(path: str) -> dict[str, int]:
    done = subprocess.run([os.environ.get("VOLARY_PROGRAM", "volary"), "import", path, "--info", "--json"], capture_output=True, text=True, check=True)
    return {row["name"]: row["value"] for row in json.loads(done.stdout)["rows"]}


def found_by_pyulog(path: str) -> dict[str, int]:
    from pyulog import ULog

    log = ULog(path, None, False)
    found = {f"messages/{d.name}" + (f"[{d.multi_id}]" if d.multi_id > 0 else ""): len(d.data["timestamp"]) for d in log.data_list}
    return found | {"parameters": len(log.initial_parameters), "dropouts": len(log.dropouts)}


def found_by_pymavlink(path: str) -> dict[str, int]:
    from pymavlink import DFReader

    reader, counts, parameters = DFReader.DFReader_binary(path), collections.Counter(), set()
    while (message := reader.recv_msg()) is not None:
        counts[f"messages/{message.get_type()}"] += 1
        if message.get_type() == "PARM":
            parameters.add(message.Name)
    del counts["messages/FMT"]  # the description of messages is no message of ours
    return dict(counts) | {"parameters": len(parameters)}


def main() -> None:
    for path in sys.argv[1:]:
        ours, theirs = found_by_volary(path), found_by_pyulog(path) if path.endswith(".ulg") else found_by_pymavlink(path)
        for name, count in theirs.items():
            assert ours.get(name) == count, f"{path}: {name}: {ours.get(name)}, not {count}"
        extra = [name for name in ours if name.startswith("messages/") and name not in theirs]
        assert not extra, f"{path}: {extra}"
        print(f"{path}: {len(theirs)} counts are equal")


if __name__ == "__main__":
    main()
