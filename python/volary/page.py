# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""The page of a world that Python steps."""

from __future__ import annotations

import atexit
import html
import json
import os
import threading
import weakref
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from . import _core
from .chromium import Chromium

if TYPE_CHECKING:
    from .world import World

__all__ = ["Page"]

_KEEP_UP = 0.05  # s between two looks whether the page lacks the last moment of a step
_MOST_PIXELS = 8192
_open_pages: weakref.WeakSet[Page] = weakref.WeakSet()

# only the scene, over the whole tab
_STYLE = "#scene { position: fixed !important; inset: 0 !important; z-index: 1000; } #scene > :not(.scene-canvas):not(.plates) { display: none !important; }"
_DRESS = f"""addEventListener("DOMContentLoaded", () => {{
  const style = document.createElement("style");
  style.textContent = {json.dumps(_STYLE)};
  document.head.append(style);
}});"""
# the moment of this epoch and time is there, and drawn
_SHOW = """(async (epoch, time, near) => {
  const is_there = () => volary.ready && volary.world().epoch === epoch && volary.stats().kept > 0 && Math.abs(volary.clock().extent.last - time) < near;
  for (const end = performance.now() + 30_000; !is_there(); ) {
    if (performance.now() > end) throw new Error(`the state at ${time} s did not arrive within 30 s`);
    await new Promise((done) => setTimeout(done, 5));
  }
  await volary.seek(volary.clock().extent.last);
})"""


class Page:
    """A page in the browser that shows a world while Python steps it; :meth:`World.watch` opens it.

    >>> with world.watch(open_browser=True) as page:
    ...     world.run(20)

    The page shows at most 30 moments per second, and the last one of every step. It costs next to nothing while no browser has it open.
    In a notebook, the value of a cell that ends in ``page`` is the page itself.
    """

    def __init__(self, world: World, port: int = 0) -> None:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise ValueError(f"port: {port!r} is not a port: 0 to 65535, 0 for any that is free")
        self._core = _core.open_page(world, port)
        self._world = weakref.ref(world)
        self._process = os.getpid()
        self._chromium: Chromium | None = None
        self._pictured: tuple[int, int, str] = (0, 0, "")  # size and view of the tab of Chromium
        self._lock = threading.Lock()  # of Chromium
        self._stop = threading.Event()
        self._thread = threading.Thread(target=_keep_up, args=(weakref.ref(self), self._stop), name="volary-page", daemon=True)
        self._thread.start()
        _open_pages.add(self)

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        return self._core.url

    @property
    def port(self) -> int:
        """The port of the address."""
        return urlsplit(self.url).port or 0

    @property
    def is_open(self) -> bool:
        """False after :meth:`close`, and when the world is gone."""
        return self._core.is_open

    @property
    def viewers(self) -> int:
        """The number of browsers that have the page open."""
        return self._core.viewers

    def open_browser(self) -> None:
        """Opens the page in the browser of the user."""
        webbrowser.open(self.url)

    def close(self) -> None:
        """Ends the page and frees its port. A step that a paused page holds goes on."""
        self._stop.set()
        self._core.close()
        chromium, self._chromium = self._chromium, None
        if chromium is not None:
            chromium.close()

    def update(self) -> None:
        """Does for the page what a step of the world does, where an environment steps the world: shows the present moment in its turn (30 per second at most), gives
        the world the commands of the page, and waits while the page is paused. Environments call it in ``render()``."""
        world = self._world()
        if world is not None and self.is_open and os.getpid() == self._process:
            self._core.update(world)

    def screenshot(self, width: int = 640, height: int = 480, *, view: str = "") -> NDArray[np.uint8]:
        """The scene at the present tick as an array (height, width, 3), drawn by a Chromium without a window; the first picture takes some seconds.

        The camera frames all vehicles. ``view`` sets another camera, selection or layers: what follows ``?`` in the address of the page, such as ``"cam=top"`` or
        ``"eye=30,20,12,0,0,1"`` (azimuth and elevation in degrees, distance in m, and the point to look at).
        """
        for name, x in (("width", width), ("height", height)):
            if isinstance(x, bool) or not isinstance(x, (int, np.integer)) or not 1 <= x <= _MOST_PIXELS:
                raise ValueError(f"screenshot: {name} {x!r} is not a number of pixels from 1 to {_MOST_PIXELS}")
        world = self._world()
        if world is None or not self.is_open:
            raise RuntimeError("screenshot: the page is closed; World.watch() opens another one")
        if os.getpid() != self._process:
            raise RuntimeError("screenshot: the page belongs to the process that opened it; open one in this process with World.watch()")
        if not (Path(_core.home_folder()) / "web" / "dist" / "index.html").is_file():
            raise RuntimeError("screenshot: the page is not built; './volary python' in the source tree builds it with the package")
        with self._lock:
            epoch = self._core.present(world)
            tab = self._tab(int(width), int(height), view)
            tab.evaluate(f"{_SHOW}({epoch}, {world.time!r}, {0.5 * world.tick_length!r})")
            return tab.picture()

    def _tab(self, width: int, height: int, view: str) -> Chromium:
        """Chromium with the page in it."""
        if self._chromium is not None and not self._chromium.is_running:
            self._chromium.close()
            self._chromium = None
        if self._chromium is None:
            self._chromium = Chromium()
            self._chromium.call("Page.addScriptToEvaluateOnNewDocument", source=_DRESS)
            self._pictured = (0, 0, "")
        tab = self._chromium
        if self._pictured[:2] != (width, height):
            tab.resize(width, height)
        if self._pictured != (width, height, view):
            self._core.set_own_viewers(0)
            tab.call("Page.navigate", url="about:blank")
            tab.call("Page.navigate", url=f"{self.url}?test=1#/live" + (f"?{view}" if view else ""))
            tab.wait_for("window.volary?.ready", "the page")
            # nobody looks at this tab between two pictures: it is no reason to hand over moments
            self._core.set_own_viewers(1)
            self._pictured = (width, height, view)
        return tab

    def __del__(self) -> None:
        if hasattr(self, "_thread"):
            self.close()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self.is_open:
            return "Page(closed)"
        n = self.viewers
        return f"Page('{self.url}', {n} viewer{'' if n == 1 else 's'})"

    def _repr_html_(self) -> str:
        if not self.is_open:
            return "<p>This page is closed.</p>"
        url = html.escape(self.url)
        return f'<iframe src="{url}" style="width: 100%; height: 540px; border: 0" allow="fullscreen"></iframe><a href="{url}" target="_blank">{url}</a>'


def _keep_up(page_ref: weakref.ref[Page], stop: threading.Event) -> None:
    """What a step handed over is at most 30 moments per second: the last one is made up for when the step is over."""
    while not stop.wait(_KEEP_UP):
        page = page_ref()
        world = page._world() if page is not None else None
        if page is None or world is None or not page.is_open:
            return
        page._core.show_now(world)
        del page, world


@atexit.register
def _close_all() -> None:
    """Threads of a server do not outlive the interpreter."""
    for page in list(_open_pages):
        page.close()
