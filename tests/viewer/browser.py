# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium driven through its DevTools pipe; nothing but the standard library."""
import base64
import collections
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Enter": 13, "Home": 36, "End": 35, " ": 32}


def find_program():
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class BrowserError(Exception):
    """The browser did not answer, or a script in the page failed."""


class Browser:
    """One browser with one page. Keeps what the page asked of the network and what it complained about."""

    def __init__(self, program, seconds=30):
        self.seconds = seconds
        self.folder = tempfile.mkdtemp(prefix="heddle-browser-")
        self.buffer = b""
        self.number = 0
        self.events = collections.deque()
        self.requests = []
        self.complaints = []
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def give_pipe():
            # Chromium reads commands from descriptor 3 and answers on 4; the copies avoid overwriting one of them.
            commands, answers = os.dup(to_browser), os.dup(from_browser)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                   "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe",
                   f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(3, 4), preexec_fn=give_pipe, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.session = None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def receive(self, deadline):
        """The next message."""
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise BrowserError("the browser does not answer")
            got = os.read(self.read_end, 1 << 16)
            if not got:
                raise BrowserError("the browser ended")
            self.buffer += got
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(params["exceptionDetails"].get("exception", params["exceptionDetails"])))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        self.events.append(method)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.seconds
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.note(answer)

    def open(self, path, dark=False, fragment="", width=1400, height=900):
        """Loads a file as a new page, with the preference for dark or light."""
        self.call("Page.navigate", url="about:blank")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.prefer_dark(dark)
        self.requests.clear()
        self.complaints.clear()
        self.events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        deadline = time.monotonic() + self.seconds
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive(deadline))

    def prefer_dark(self, dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        # The page is told with the next frame.
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, script):
        """The value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def middle(self, selector):
        place = self.run(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            if (!element) return null;
            element.scrollIntoView({{block: "nearest", inline: "nearest"}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        if place is None:
            raise BrowserError(f"there is no {selector}")
        return place

    def mouse(self, kind, place, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **more)

    def click(self, selector):
        """A real click in the middle of the element, through the browser's own hit testing."""
        place = self.middle(selector)
        self.mouse("mouseMoved", place)
        self.mouse("mousePressed", place, button="left", clickCount=1)
        self.mouse("mouseReleased", place, button="left", clickCount=1)

    def hover(self, selector):
        self.mouse("mouseMoved", self.middle(selector))

    def key(self, name):
        text = {"text": "\r"} if name == "Enter" else {"text": " "} if name == " " else {}
        common = {"key": name, "code": "Space" if name == " " else name, "windowsVirtualKeyCode": KEYS[name]}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def accessibility(self):
        """(role, name) of every node of the accessibility tree."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(n.get("role", {}).get("value"), n.get("name", {}).get("value", "")) for n in nodes if not n.get("ignored")]
