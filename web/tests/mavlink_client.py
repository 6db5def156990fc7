# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""A ground station for tests of the page: pymavlink as it comes from PyPI, on a UDP port.

    python mavlink_client.py PORT

Commands come on standard input, one JSON object per line: {"command": 400, "params": [1], "system": 1}. What vehicles say goes to standard output, one JSON object per line:
changes of mode and arming, status texts and answers to commands.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

os.environ["MAVLINK20"] = "1"
from pymavlink import mavutil

link: Any = mavutil.mavlink_connection(f"udpin:127.0.0.1:{sys.argv[1]}", source_system=255, source_component=190)
sending = threading.Lock()


def tell(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def beat() -> None:
    while True:
        with sending:
            link.mav.heartbeat_send(6, 8, 0, 0, 4)
        time.sleep(0.5)


def obey() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        params = [float(x) for x in order.get("params", [])]
        with sending:
            link.mav.command_long_send(order["system"], 1, order["command"], 0, *params, *[0.0] * (7 - len(params)))
    os._exit(0)


link.wait_heartbeat()
threading.Thread(target=beat, daemon=True).start()
threading.Thread(target=obey, daemon=True).start()
shown: dict[int, tuple[str, bool]] = {}
while True:
    m = link.recv_match(type=["HEARTBEAT", "STATUSTEXT", "COMMAND_ACK"], blocking=True, timeout=1)
    if m is None or m.get_srcComponent() != 1:
        continue
    system = m.get_srcSystem()
    if m.get_type() == "HEARTBEAT":
        now = (mavutil.mode_string_v10(m), bool(m.base_mode & 128))
        if shown.get(system) != now:
            shown[system] = now
            tell(system=system, mode=now[0], armed=now[1])
    elif m.get_type() == "STATUSTEXT":
        tell(system=system, text=m.text, severity=m.severity)
    else:
        tell(system=system, command=m.command, result=m.result)
