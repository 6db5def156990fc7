# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import base64
import http.server
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import hovering

import volary
from volary import _core, chromium

LONG = 30.0  # s, for what takes milliseconds on a machine with nothing else to do


def ask(page: volary.Page, path: str, body: Any = None) -> Any:
    """The answer of the page's server; an error is its text."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(page.url + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=LONG) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as fault:
        return json.loads(fault.read())["error"]


def until(holds: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + LONG
    while not (found := holds()):
        assert time.monotonic() < end, what
        time.sleep(0.01)
    return found


class Viewer:
    """A WebSocket as a browser has it: texts as dicts, frames as (tick, positions)."""

    def __init__(self, page: volary.Page) -> None:
        self.socket = socket.create_connection(("127.0.0.1", page.port), timeout=LONG)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while self.file.readline() not in (b"\r\n", b""):
            pass
        self.texts: list[dict[str, Any]] = []
        self.frames: list[tuple[int, np.ndarray]] = []

    def read(self) -> None:
        first, second = self.file.read(2)
        size = second & 127
        if size > 125:
            size = int.from_bytes(self.file.read(2 if size == 126 else 8))
        data = self.file.read(size)
        if first & 15 == 1:
            self.texts.append(json.loads(data))
        elif first & 15 == 2:
            low, high = struct.unpack_from("<II", data, 16)
            origin, n = struct.unpack_from("<3d", data, 32), struct.unpack_from("<I", data, 56)[0]
            self.frames.append((low + (high << 32), np.frombuffer(data, "<f4", 3 * n, 64).reshape(3, n).T + origin))

    def wait(self, holds: Callable[[], Any]) -> Any:
        end = time.monotonic() + LONG
        while not (found := holds()):
            assert time.monotonic() < end
            self.read()
        return found

    def frame(self, tick: int) -> np.ndarray:
        """Waits for the frame of a tick."""
        self.wait(lambda: self.frames and self.frames[-1][0] == tick)
        return self.frames[-1][1]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [t for t in self.texts if t["type"] == kind]

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def world() -> Iterator[volary.World]:
    world = volary.World(hovering())
    yield world
    if world._page is not None:
        world._page.close()


def test_the_page_answers_on_this_machine_only(world: volary.World) -> None:
    page = world.watch()
    assert page.url == f"http://127.0.0.1:{page.port}/" and page.is_open
    assert "version" in ask(page, "api/version")
    assert ask(page, "api/live")["state"] == "paused"
    assert [v["name"] for v in ask(page, "api/live/vehicles")["vehicles"]] == [world.name_of(v) for v in world.vehicles()]


def test_a_notebook_on_this_machine_may_show_the_page_in_a_frame(world: volary.World) -> None:
    page = world.watch()
    with urllib.request.urlopen(page.url + "api/version") as answer:
        assert "frame-ancestors http://localhost:*" in answer.headers["Content-Security-Policy"] and "X-Frame-Options" not in answer.headers
    assert f'<iframe src="{page.url}"' in page._repr_html_() and page.url in repr(page)
    page.close()
    assert "iframe" not in page._repr_html_() and repr(page) == "Page(closed)"


def test_frames_advance_when_python_steps(world: volary.World) -> None:
    world.step(7)
    viewer = Viewer(world.watch())
    viewer.frame(7)
    world.set("velocity", [1, 0, 0])
    world.step(100)
    assert viewer.frame(107) == pytest.approx(np.array(world.frame.position), abs=1e-4)
    viewer.wait(lambda: any(s["state"] == "running" for s in viewer.of("status")))
    viewer.wait(lambda: viewer.of("status")[-1]["state"] == "paused")  # Python does something else
    viewer.close()


def test_many_short_steps_show_few_moments_and_the_last_one(world: volary.World) -> None:
    page = world.watch()
    viewer = Viewer(page)
    viewer.frame(0)
    until(lambda: page.viewers == 1, "the viewer is counted")
    begun = time.monotonic()
    for _ in range(2000):
        world.step()
    took = time.monotonic() - begun
    viewer.frame(2000)
    assert len(viewer.frames) < 10 + 31 * (took + 1)
    viewer.close()
    until(lambda: page.viewers == 0, "the viewer left")


def test_a_page_changes_no_bit(world: volary.World) -> None:
    gusty = hovering(3, environment={"gust_sigma": 1})
    alone, shown = volary.World(gusty), volary.World(gusty)
    with shown.watch() as page:
        viewer = Viewer(page)
        viewer.frame(0)
        assert shown.run(2).hash() == alone.run(2).hash()
        viewer.close()


def test_a_command_of_the_page_is_an_input_of_the_world_and_of_its_recording(world: volary.World, tmp_path: Path) -> None:
    page = world.watch()
    name = world.name_of(world.vehicles()[0])
    with world.recording(tmp_path / "a.vlog"):
        world.step(10)
        until(lambda: ask(page, "api/live")["tick"] == 10, "the page shows the tick")
        assert "state" in ask(page, "api/live/mode", {"ids": [name], "mode": "land"})
        assert world.mode_of(world.vehicles()[0]) == "hold"
        world.step(5)
        assert [world.mode_of(v) for v in world.vehicles()] == ["land", "hold", "hold"]
        world.step(100)
    untouched = volary.World(hovering())
    untouched.step(115)
    assert world.hash() != untouched.hash()
    recording = _core.Recording.open(str(tmp_path / "a.vlog"))
    check = recording.verify(1, False)
    assert check.exact and check.compared == 116  # ticks, the first state among them


def test_vehicles_that_the_page_adds_are_in_the_world_and_on_the_page(world: volary.World) -> None:
    viewer = Viewer(world.watch())
    viewer.frame(0)
    assert "state" in ask(world.watch(), "api/live/spawn", {"flock": "drones", "position": [5, 5, 2], "name": "late"})
    world.step(20)
    assert world.n_vehicles == 4 and "late" in [world.name_of(v) for v in world.vehicles()]
    assert len(viewer.frame(20)) == 4
    assert any(e["what"] == "spawned" for e in viewer.of("event"))
    viewer.close()


def test_what_only_the_program_can_do_is_refused_in_words(world: volary.World) -> None:
    page = world.watch()
    for command, body, words in (("speed", {"factor": 2}, "pace of its own"), ("reset", {}, "World.reset()"), ("start", {"scenario": "default"}, "make a World"), ("stop", {}, "end it there"),
                                 ("resume", {}, "calls step()")):
        assert words in ask(page, f"api/live/{command}", body), command


def test_a_paused_page_holds_the_step_of_python(world: volary.World) -> None:
    page = world.watch()
    ask(page, "api/live/pause", {})
    thread = threading.Thread(target=world.step, args=(100,))
    thread.start()
    time.sleep(0.2)
    assert ask(page, "api/live")["tick"] == 0 and ask(page, "api/live")["state"] == "paused"
    ask(page, "api/live/step", {"ticks": 3})
    until(lambda: ask(page, "api/live")["tick"] == 3, "three ticks are flown and shown")
    time.sleep(0.2)
    assert ask(page, "api/live")["tick"] == 3 and thread.is_alive()
    ask(page, "api/live/resume", {})
    thread.join(LONG)
    assert world.tick == 100


@pytest.mark.parametrize("end", ["the page is closed", "the last viewer leaves"])
def test_nothing_holds_a_step_when_nobody_can_resume(world: volary.World, end: str) -> None:
    page = world.watch()
    viewer = Viewer(page)
    viewer.frame(0)
    ask(page, "api/live/pause", {})
    thread = threading.Thread(target=world.step, args=(10,))
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    if end == "the page is closed":
        page.close()
    viewer.close()
    thread.join(LONG)
    assert world.tick == 10


def test_ctrl_c_ends_a_step_that_the_page_holds() -> None:
    code = """if True:
        import json, urllib.request, volary
        world = volary.World("default")
        page = world.watch()
        urllib.request.urlopen(urllib.request.Request(page.url + "api/live/pause", b"{}", {"Content-Type": "application/json"}))
        print("ready", flush=True)
        try:
            world.step(10)
        except KeyboardInterrupt:
            print("tick", world.tick)
    """
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=LONG)
    assert out == "tick 0\n" and process.returncode == 0
    assert "waiting for the page http://127.0.0.1" in said


def test_going_back_and_beginning_again_are_shown(world: volary.World) -> None:
    viewer = Viewer(world.watch())
    viewer.frame(0)
    epoch = viewer.of("hello")[-1]["epoch"]
    world.step(20)
    viewer.frame(20)
    moment = world.snapshot()
    world.step(20)
    viewer.frame(40)
    assert viewer.of("hello")[-1]["epoch"] == epoch
    world.restore(moment)
    viewer.frame(20)
    assert viewer.of("hello")[-1]["epoch"] == epoch + 1
    start = np.array(world.frame.position)
    world.set("velocity", [2, 0, 0])
    world.step(200)
    assert viewer.frame(220)[0, 0] > start[0, 0] + 1
    world.reset()
    viewer.wait(lambda: viewer.of("hello")[-1]["epoch"] == epoch + 2)
    viewer.wait(lambda: abs(viewer.frames[-1][1] - np.array(world.frame.position)).max() < 1e-3)
    viewer.close()


def test_a_world_that_an_environment_steps_is_shown_when_the_page_is_updated() -> None:
    world = volary.World("learn_hover")
    episodes = _core.Episodes(world, "disabled")
    page = world.watch()
    viewer = Viewer(page)
    viewer.frame(world.tick)
    epoch = viewer.of("hello")[-1]["epoch"]
    episodes.actions[:] = 0.5
    for _ in range(10):
        episodes.step()
        page.update()
    viewer.frame(10 * episodes.ticks)
    assert viewer.of("hello")[-1]["epoch"] == epoch
    name = world.name_of(world.vehicles()[0])
    assert "state" in ask(page, "api/live/mode", {"ids": [name], "mode": "emergency_stop"})
    page.update()
    episodes.step()
    assert world.mode_of(world.vehicles()[0]) == "emergency_stop"
    # another episode is a jump, even at the same tick
    episodes.reset()
    page.update()
    viewer.wait(lambda: viewer.of("hello")[-1]["epoch"] == epoch + 1)
    viewer.wait(lambda: viewer.frames[-1][1] == pytest.approx(np.array(world.frame.position), abs=1e-4))
    # a paused page holds update() instead of the step
    ask(page, "api/live/pause", {})
    thread = threading.Thread(target=page.update)
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    ask(page, "api/live/resume", {})
    thread.join(LONG)
    assert not thread.is_alive()
    viewer.close()
    page.close()
    page.update()


def test_some_worlds_of_a_batch_that_begin_again_are_no_jump() -> None:
    world = volary.World(hovering(), worlds=3)
    viewer = Viewer(world.watch())
    viewer.frame(0)
    epoch = viewer.of("hello")[-1]["epoch"]
    world.set("velocity", [2, 0, 0])
    world.step(100)
    viewer.frame(100)
    world.reset([False, True, False])
    viewer.wait(lambda: viewer.frames[-1][1] == pytest.approx(np.array(world.frame.position), abs=1e-4))
    assert viewer.of("hello")[-1]["epoch"] == epoch
    world.reset()
    viewer.wait(lambda: viewer.of("hello")[-1]["epoch"] == epoch + 1)
    viewer.close()


def test_closing_frees_the_port(world: volary.World) -> None:
    page = world.watch()
    port = page.port
    assert world.watch() is page and world.watch(port) is page
    with pytest.raises(ValueError, match=f"already shown at http://127.0.0.1:{port}"):
        world.watch(port % 65535 + 1)
    with pytest.raises(ValueError, match=f"cannot listen on 127.0.0.1:{port}"):
        volary.World(hovering()).watch(port)
    page.close()
    page.close()
    assert not page.is_open
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=LONG)
    world.step(5)
    again = world.watch(port)
    assert again is not page and again.port == port and ask(again, "api/live")["tick"] == 5
    for wrong in (-1, 65536, True, "80"):
        with pytest.raises(ValueError, match="is not a port"):
            volary.World(hovering()).watch(wrong)  # type: ignore[arg-type]


def test_two_worlds_have_a_page_each(world: volary.World) -> None:
    other = volary.World(hovering(5))
    with world.watch() as page, other.watch() as second:
        assert page.port != second.port
        world.step(30)
        other.step(4)
        until(lambda: ask(page, "api/live")["tick"] == 30 and ask(second, "api/live")["tick"] == 4, "each page shows its world")
        assert (ask(page, "api/live")["vehicles"], ask(second, "api/live")["vehicles"]) == (3, 5)


def test_a_world_that_is_gone_has_no_page() -> None:
    world = volary.World(hovering())
    page = world.watch()
    del world
    assert not page.is_open
    with pytest.raises(RuntimeError, match="closed"):
        page.screenshot()


def test_a_program_with_an_open_page_ends(tmp_path: Path) -> None:
    code = "import volary; w = volary.World('default'); p = w.watch(); w.step(10); print(p.port)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0 and done.stderr == "" and int(done.stdout) > 0


def test_a_child_of_a_fork_steps_on_without_the_page(world: volary.World) -> None:
    page = world.watch()
    ask(page, "api/live/pause", {})
    expected = volary.World(hovering())
    expected.step(50)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        world.step(50)
        os.write(write, str(world.hash()).encode())
        page.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(read, 100)) == expected.hash()
    assert ask(page, "api/live")["tick"] == 0
    ask(page, "api/live/resume", {})
    world.step(50)
    assert world.hash() == expected.hash()


# ---------------------------------------------------------------- pictures


def has_pictures() -> bool:
    try:
        chromium.find_chromium()
    except RuntimeError:
        return False
    return (Path(volary.home_folder()) / "web" / "dist" / "index.html").is_file()


needs_chromium = pytest.mark.skipif(not has_pictures(), reason="Chromium or the built page is missing")


@needs_chromium
def test_a_picture_shows_the_vehicles_where_they_are_now(world: volary.World) -> None:
    page = world.watch()
    eye = "eye=20,25,9,0,0,1.5"
    first = page.screenshot(320, 240, view=eye)
    assert first.shape == (240, 320, 3) and first.dtype == np.uint8
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 50  # not one colour
    assert page.viewers == 0  # Chromium is no viewer
    again = page.screenshot(320, 240, view=eye)
    assert np.abs(again.astype(int) - first).mean() < 0.5
    moment = world.snapshot()
    world.set("position", np.array(world.frame.position) + [2, 0, 0])
    world.run(4)
    moved = page.screenshot(320, 240, view=eye)
    change = np.abs(moved.astype(int) - first).max(axis=2) > 40
    assert change.any() and change.mean() < 0.2
    world.restore(moment)
    back = page.screenshot(320, 240, view=eye)
    assert (np.abs(back.astype(int) - first).max(axis=2) > 40).mean() < 0.2 * change.mean()
    # the same tick, other places: they are those of now
    world.set("position", np.array(world.frame.position) + [2, 0, 0])
    world.run(4)
    far = page.screenshot(320, 240, view=eye)
    world.reset()
    assert (np.abs(page.screenshot(320, 240, view=eye).astype(int) - far).max(axis=2) > 40).any()


@needs_chromium
def test_an_environment_renders_pictures_and_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    assert volary.envs  # which registers them
    env = gymnasium.make("volary/Hover-v0", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (480, 640, 3) and len(np.unique(first.reshape(-1, 3), axis=0)) > 50
    for _ in range(20):
        env.step(env.action_space.sample())
    assert (env.render() != first).any()
    env.close()
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    env = gymnasium.make("volary/Hover-v0", render_mode="human")
    env.reset(seed=1)
    env.step(env.action_space.sample())
    assert len(opened) == 1 and opened[0].startswith("http://127.0.0.1:")
    port = int(opened[0].split(":")[2].strip("/"))
    env.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=LONG)


@needs_chromium
def test_a_frame_of_a_notebook_is_a_viewer(world: volary.World) -> None:
    page = world.watch()

    class Notebook(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(f"<!doctype html>{page._repr_html_()}".encode())

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Notebook) as notebook:
        threading.Thread(target=notebook.serve_forever, daemon=True).start()
        browser = chromium.Chromium()
        browser.call("Page.navigate", url=f"http://localhost:{notebook.server_port}/")
        until(lambda: page.viewers == 1, "the frame shows the page")
        browser.close()
        until(lambda: page.viewers == 0, "the browser left")
        notebook.shutdown()


@needs_chromium
def test_a_picture_has_its_size_and_frames_all_vehicles() -> None:
    world = volary.World(hovering(9))
    with world.watch() as page:
        wide = page.screenshot()
        assert wide.shape == (480, 640, 3)
        assert page.screenshot(480, 640).shape == (640, 480, 3)
        tab = page._chromium
        assert tab is not None
        # nothing but the scene, over the whole picture
        assert tab.evaluate("(({ x, y, width, height }) => [x, y, width, height])(document.querySelector('.scene-canvas').getBoundingClientRect())") == [0, 0, 480, 640]
        assert tab.evaluate("['.top', '.card', '.tools', '.transport'].filter((e) => document.querySelector(e)?.checkVisibility() && !document.elementFromPoint(240, 10).closest('#scene'))") == []
        places = tab.evaluate("volary.ids().map((id) => volary.project(id))")
        assert len(places) == 9
        for x, y in places:
            assert 10 < x < 470 and 10 < y < 630
        assert max(x for x, _ in places) - min(x for x, _ in places) > 150


def test_without_chromium_a_picture_says_what_to_install(world: volary.World, monkeypatch: pytest.MonkeyPatch) -> None:
    page = world.watch()
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(RuntimeError, match="apt-get install chromium"):
        chromium.find_chromium()
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(RuntimeError, match="CHROMIUM names '/nowhere/chromium'"):
        chromium.find_chromium()
    for size in ((0, 480), (640, 10_000), (True, 480), (640, 4.5)):
        with pytest.raises(ValueError, match="number of pixels"):
            page.screenshot(*size)


def png(picture: np.ndarray, how: int) -> bytes:
    """A PNG whose rows all have one filter, written from the definition."""
    height, width, channels = picture.shape
    padded = np.zeros((height + 1, width + 1, channels), int)
    padded[1:, 1:] = picture
    a, b, c = padded[1:, :-1], padded[:-1, 1:], padded[:-1, :-1]
    p = a + b - c
    near = np.stack([abs(p - a), abs(p - b), abs(p - c)]).argmin(axis=0)
    predicted = [0 * a, a, b, (a + b) // 2, np.choose(near, [a, b, c])][how]
    rows = ((picture - predicted) % 256).astype(np.uint8).reshape(height, -1)
    data = np.concatenate([np.full((height, 1), how, np.uint8), rows], axis=1).tobytes()
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)), (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)


@pytest.mark.parametrize("how", range(5))
@pytest.mark.parametrize("channels", [3, 4])
def test_every_filter_of_a_png_is_read(how: int, channels: int) -> None:
    picture = np.random.default_rng(how).integers(0, 256, (23, 31, channels), dtype=np.uint8)
    assert np.array_equal(chromium.decode_png(png(picture, how)), picture[:, :, :3])
    with pytest.raises(ValueError, match="not a PNG"):
        chromium.decode_png(b"GIF89a")
