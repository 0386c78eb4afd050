"""Runs a shell in a tmux of the tests' own, on a private socket."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from subprocess import DEVNULL

import psutil

LONG = 30.0
SHELL = "bash --norc --noprofile --noediting"


class Tmux:
    """One terminal with a shell. A test presses keys and reads the screen."""

    def __init__(self, folder: Path, columns: int, rows: int, environ: dict[str, str]) -> None:
        self.socket = str(folder / "tmux.sock")
        home = folder / "home"
        home.mkdir()
        inside = {
            "HOME": str(home),
            "JAXTUTOR_HOME": str(folder / "jaxtutor"),
            "PYTHONPATH": str(Path(__file__).parent.parent),
            "LC_ALL": "C.UTF-8",
            "PS1": "shell> ",
            "MICRO_CONFIG_HOME": str(home),
            "XDG_RUNTIME_DIR": str(home),
            **environ,
        }
        words = [f"{name}={value}" for name, value in inside.items()]
        command = ["env", "-u", "TMUX", "-u", "VISUAL", "-u", "EDITOR", *words, *SHELL.split()]
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows))
        self._tmux("set", "-g", "status", "off")
        self._tmux("set", "-g", "default-terminal", "tmux-256color")
        self._tmux("set", "-s", "escape-time", "0")
        self._tmux("respawn-window", "-k", "-c", str(home), shlex.join(command))
        self.resize(columns, rows)
        self.await_("shell>")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self.socket, *arguments]
        environ = {name: value for name, value in os.environ.items() if name != "TMUX"}
        ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environ)
        return ran.stdout

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text literally."""
        self._tmux("send-keys", "-l", text)

    def start(self, *arguments: str) -> None:
        """Start a session of jaxtutor."""
        self.type(shlex.join([sys.executable, "-m", "jaxtutor", "start", *arguments]))
        self.press("Enter")

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self, colours: bool = False) -> list[str]:
        """Return the rows of the screen."""
        flags = ["-e"] if colours else []
        return self._tmux("capture-pane", "-p", *flags).rstrip("\n").split("\n")

    def show(self, format_: str) -> str:
        """Return the value of a tmux format for the terminal."""
        return self._tmux("display-message", "-p", format_).strip()

    def await_(self, *words: str) -> list[str]:
        """Wait until all the words are on the screen, and return the screen."""
        end = time.monotonic() + LONG
        while True:
            rows = self.screen()
            text = "\n".join(rows)
            if all(word in text for word in words):
                return rows
            assert time.monotonic() < end, f"{words} are not on the screen:\n{text}"
            time.sleep(0.05)

    def close(self) -> None:
        """Close the terminal, and wait until all its processes have ended."""
        try:
            running = psutil.Process(int(self.show("#{pane_pid}"))).children(recursive=True)
        except (subprocess.CalledProcessError, psutil.Error):
            running = []
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, stderr=DEVNULL)
        psutil.wait_procs(running, timeout=10)
