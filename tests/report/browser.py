"""Headless Chromium, driven by the DevTools protocol over a pipe."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One browser with one page. `network` holds the addresses that the page asked for beside its own."""

    def __init__(self, width: int = 1400, height: int = 900) -> None:
        assert CHROMIUM is not None
        self.profile = tempfile.TemporaryDirectory(prefix="gradir-browser-", ignore_cleanup_errors=True)
        pipes = [os.pipe(), os.pipe()]
        theirs_in, theirs_out = (fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (pipes[0][0], pipes[1][1]))

        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-extensions"]
        command += ["--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "--no-first-run"]
        command += ["--disable-background-networking", "--disable-dev-shm-usage", f"--window-size={width},{height}"]
        # Chromium reads from 3 and writes to 4, which a shell arranges: Python would have to fork for that.
        shell = ["sh", "-c", f'exec "$@" 3</proc/self/fd/{theirs_in} 4>/proc/self/fd/{theirs_out}', "sh"]
        self.process = subprocess.Popen(
            [*shell, *command, "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs_in, theirs_out),
        )
        for end in (theirs_in, theirs_out, pipes[0][0], pipes[1][1]):
            os.close(end)
        self.reader, self.writer = os.fdopen(pipes[1][0], "rb"), os.fdopen(pipes[0][1], "wb")
        self.numbers, self.buffer = itertools.count(1), b""
        self.events: list[dict[str, Any]] = []
        targets = self._send("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session: str | None = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._send(f"{domain}.enable")

    session: str | None = None

    def _send(self, method: str, **parameters: Any) -> Any:
        number = next(self.numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        self.writer.write(json.dumps(message).encode() + b"\0")
        self.writer.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self.events.append(answer)

    def _receive(self) -> Any:
        while b"\0" not in self.buffer:
            part = os.read(self.reader.fileno(), 1 << 20)
            assert part, "the browser is gone"
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, fragment: str = "", *, scripts: bool = True, dark: bool = False) -> None:
        self._send("Emulation.setScriptExecutionDisabled", value=not scripts)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._send("Emulation.setEmulatedMedia", features=[scheme])
        self._navigate("about:blank")  # else another fragment of the same page would not load it
        self._navigate(path.as_uri() + fragment)

    def _navigate(self, url: str) -> None:
        self.events.clear()
        self._send("Page.navigate", url=url)
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.events.append(self._receive())

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self._send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """A click with the mouse on the middle of an element."""
        where = f"document.querySelector({json.dumps(selector)})"
        box = self.run(
            f"(() => {{ const e = {where}; e.scrollIntoView({{block: 'center', inline: 'start'}});"
            " const r = e.getBoundingClientRect();"
            " return [r.left + Math.min(r.width / 2, 60), r.top + r.height / 2] })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def key(self, key: str) -> None:
        self._send("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)
        self._send("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    @property
    def network(self) -> list[str]:
        sent = [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("file:", "data:", "about:"))]

    @property
    def errors(self) -> list[Any]:
        return [e["params"] for e in self.events if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]

    def screenshot(self, path: Path, whole: bool = True) -> None:
        """The page as a PNG, or what is seen of it."""
        picture = self._send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self) -> None:
        self.session = None
        self.process.terminate()
        self.process.wait(20)
        self.reader.close()
        self.writer.close()
        self.profile.cleanup()

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
