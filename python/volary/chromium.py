# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a page by a Chromium without a window. It is driven over two pipes by the Chrome DevTools Protocol, so that nothing but Chromium must be installed."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Chromium", "decode_png", "find_chromium"]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb", "--font-render-hinting=none", "--hide-scrollbars",
    "--mute-audio", "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions",
    "--disable-sync", "--disable-dev-shm-usage",
)
_PATIENCE = 60  # s, for one answer


def find_chromium() -> str:
    """The path of a Chromium: that of the environment variable ``CHROMIUM``, or the first one found in ``PATH``."""
    given = os.environ.get("CHROMIUM")
    for name in (given,) if given else _NAMES:
        if path := shutil.which(name):
            return path
    if given:
        raise RuntimeError(f"CHROMIUM names '{given}', which is not a program")
    raise RuntimeError("a picture of the page needs Chromium or Chrome, and none was found: install it ('apt-get install chromium'), or set CHROMIUM to its path")


class Chromium:
    """One Chromium with one tab."""

    def __init__(self) -> None:
        program = find_chromium()
        self._folder = tempfile.mkdtemp(prefix="volary-chromium-")
        self._log = open(os.path.join(self._folder, "log"), "w+b")  # noqa: SIM115
        flags = [*_FLAGS, f"--user-data-dir={self._folder}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium has none for root
        # Chromium reads commands from descriptor 3 and answers on descriptor 4
        redirect = 'exec "$@" 3<&0 4>&1 </dev/null >&2'
        try:
            self._process = subprocess.Popen(["/bin/sh", "-c", redirect, "sh", program, *flags, "about:blank"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log,
                                             bufsize=0, start_new_session=True)
        except BaseException:
            self._log.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._pid = os.getpid()
        self._received = b""
        self._number = 0
        self._session = ""
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self.call("Page.enable")
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}, {"name": "prefers-color-scheme", "value": "light"}])
        except BaseException:
            self.close()
            raise

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends a command and returns its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[self._to.write(data) or 0:]
        except BrokenPipeError:
            raise RuntimeError(f"Chromium has ended: {self._last_words()}") from None
        until = time.monotonic() + _PATIENCE
        while True:
            answer = self._next(method, until)
            if answer.get("id") != self._number:
                continue  # an event
            if "error" in answer:
                raise RuntimeError(f"Chromium refused {method}: {answer['error'].get('message')}")
            result: dict[str, Any] = answer["result"]
            return result

    def evaluate(self, script: str) -> Any:
        """The value of an expression of the page; a promise is awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"the page failed: {details.get('exception', {}).get('description', details.get('text'))}")
        return result["result"].get("value")

    def wait_for(self, condition: str, what: str) -> None:
        """Until an expression of the page is true."""
        until = time.monotonic() + _PATIENCE
        while not self.evaluate(f"!!({condition})"):
            if time.monotonic() > until:
                raise RuntimeError(f"{what}: nothing came within {_PATIENCE} s")
            time.sleep(0.02)

    def resize(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self) -> NDArray[np.uint8]:
        """What the tab shows: (height, width, 3)."""
        return decode_png(base64.b64decode(self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]))

    def close(self) -> None:
        """Ends Chromium. In a child of a fork it only forgets it."""
        if self._to.closed:
            return
        with contextlib.suppress(OSError):
            self._to.close(), self._from.close()  # which is what ends it
        self._log.close()
        if os.getpid() != self._pid:
            return
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _next(self, method: str, until: float) -> dict[str, Any]:
        while b"\0" not in self._received:
            if not select.select([self._from], [], [], max(0.0, until - time.monotonic()))[0]:
                raise RuntimeError(f"Chromium did not answer {method} within {_PATIENCE} s: {self._last_words()}")
            more = os.read(self._from.fileno(), 1 << 20)
            if not more:
                raise RuntimeError(f"Chromium has ended: {self._last_words()}")
            self._received += more
        text, self._received = self._received.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(text)
        return answer

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = [line for line in self._log.read().decode(errors="replace").splitlines() if line.strip()]
        return " | ".join(lines[-3:]) or "it said nothing"


# ---------------------------------------------------------------- PNG (ISO/IEC 15948)


def decode_png(data: bytes) -> NDArray[np.uint8]:
    """A picture of 8 bits per channel without interlacing, as (height, width, 3); transparency is left out."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG picture")
    width, height, depth, kind = int.from_bytes(data[16:20]), int.from_bytes(data[20:24]), data[24], data[25]
    if depth != 8 or kind not in (2, 6) or data[28] != 0:
        raise ValueError(f"a PNG picture of {depth} bits and kind {kind} is not read: 8 bits, RGB or RGBA, not interlaced")
    packed, at = b"", 8
    while at < len(data):
        length, name = int.from_bytes(data[at:at + 4]), data[at + 4:at + 8]
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    channels = 3 if kind == 2 else 4
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    return np.ascontiguousarray(_unfiltered(rows[:, 0], rows[:, 1:].reshape(height, width, channels))[:, :, :3])


def _unfiltered(filters: NDArray[np.uint8], rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each pixel is stored as its difference from what its neighbours to the left (a), above (b) and above left (c) predict; the first number of a row says how."""
    out = rows.copy()
    above = np.zeros_like(rows[0])
    for row, (how, line) in enumerate(zip(filters.tolist(), out, strict=True)):
        if how == 1:
            np.cumsum(line, axis=0, dtype=np.uint8, out=line)
        elif how == 2:
            line += above
        elif how > 2:
            out[row] = _sequential(how, line.tolist(), above.tolist())
        above = out[row]
    return out


def _sequential(how: int, line: list[list[int]], above: list[list[int]]) -> list[list[int]]:
    """The filters Average (3) and Paeth (4) of one row: each pixel needs the one before it."""
    left = corner = [0] * len(line[0])
    for x, (pixel, up) in enumerate(zip(line, above, strict=True)):
        if how == 3:
            line[x] = [(p + (a + b) // 2) & 255 for p, a, b in zip(pixel, left, up, strict=True)]
        else:
            line[x] = [(p + _paeth(a, b, c)) & 255 for p, a, b, c in zip(pixel, left, up, corner, strict=True)]
        left, corner = line[x], up
    return line


def _paeth(a: int, b: int, c: int) -> int:
    near_a, near_b, near_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return a if near_a <= near_b and near_a <= near_c else b if near_b <= near_c else c
