"""Uses the extension in a real VS Code: `python -m trials.vscode CODE_SERVER FOLDER`.

CODE_SERVER is the folder of the npm package code-server (`trials/install_code_server.sh INTO` puts
it into INTO/node_modules), and FOLDER gets the screenshots: the question, the squiggle, the page on
hover, the quick fix, the corrected file. Chromium and the Python package playwright must be
installed, and `npm install` must have run in editors/vscode.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

ROOT = Path(__file__).parent.parent
EXTENSION = ROOT / "editors" / "vscode"
LONG = 60_000.0
"""Milliseconds after which what does not appear fails the trial."""
FAILING = """\
import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    if x.sum() > 0:
        return x
    return -x


if __name__ == "__main__":
    print(keep(jnp.arange(3.0)))
"""


def main(package: Path, pictures: Path) -> None:
    """Install the extension in a new profile, and go through to the applied fix."""
    from playwright.sync_api import sync_playwright

    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        home = Path(name)
        file = home / "project" / "train.py"
        file.parent.mkdir()
        file.write_text(FAILING)
        _install(package, home)
        with _serving(package, home) as address:
            chromium = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1200, "height": 760})
            opened = json.dumps([["openFile", f"vscode-remote://{address}{file}"]])
            page.goto(f"http://{address}/?folder={file.parent}&payload={opened}")
            try:
                _use(page, file, pictures)
            finally:
                page.screenshot(path=pictures / "last.png")
                browser.close()


def _use(page: Any, file: Path, pictures: Path) -> None:
    page.set_default_timeout(LONG)
    page.click(".view-lines >> text=import jax.numpy")
    page.keyboard.press("Control+End")

    def save() -> None:
        page.keyboard.type("#")  # a file that has not changed is not saved
        page.keyboard.press("Control+s")

    _repeat(page, save, ".notification-toast >> text=Run them?")
    page.screenshot(path=pictures / "1-question.png")
    page.click(".notification-toast >> role=button[name='Run']")
    page.wait_for_selector(".squiggly-error")
    page.wait_for_selector("text=: float32[3]")
    page.screenshot(path=pictures / "2-squiggle.png")
    page.mouse.move(*_middle(page, ".squiggly-error"))
    page.wait_for_selector(".monaco-hover >> text=traced-bool-in-if")
    sleep(1)
    page.screenshot(path=pictures / "3-hover.png")
    page.mouse.click(*_middle(page, ".squiggly-error"))

    def ask() -> None:
        page.keyboard.press("Escape")
        page.keyboard.press("Control+.")

    _repeat(page, ask, ".action-widget >> text=Apply the verified fix")
    page.screenshot(path=pictures / "4-quick-fix.png")
    page.keyboard.press("Enter")
    page.wait_for_selector(".view-lines >> text=jnp.where")
    page.keyboard.press("Control+s")
    page.wait_for_selector(".squiggly-error", state="detached")
    page.screenshot(path=pictures / "5-fixed.png")
    assert "jnp.where" in file.read_text()


def _middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _repeat(page: Any, act: Callable[[], None], selector: str) -> None:
    """Do something until a thing appears: the server may still start, or a fix be tried."""
    from playwright.sync_api import TimeoutError as NotThere

    end = monotonic() + LONG / 1000
    while True:
        act()
        try:
            page.wait_for_selector(selector, timeout=2000)
            return
        except NotThere:
            if monotonic() > end:
                raise


def _install(package: Path, home: Path) -> None:
    """Package the extension, install it, and say where the command is."""
    package_file = home / "jaxtutor.vsix"
    vsce = EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"
    making = ["node", str(vsce), "package", "--out", str(package_file)]
    subprocess.run(making, cwd=EXTENSION, check=True)
    command = home / "jaxtutor"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxtutor "$@"\n')
    command.chmod(0o755)
    settings = {
        "jaxtutor.command": str(command),
        "security.workspace.trust.enabled": False,
        "workbench.startupEditor": "none",
    }
    place = home / "data" / "User" / "settings.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(settings))
    installing = [*_command(package, home), "--install-extension", str(package_file)]
    subprocess.run(installing, check=True, env=_environment(home))


def _command(package: Path, home: Path) -> list[str]:
    entry = package / "out" / "node" / "entry.js"
    folders = ["--user-data-dir", str(home / "data"), "--extensions-dir", str(home / "extensions")]
    return ["node", str(entry), *folders, "--config", str(home / "config.yaml")]


def _environment(home: Path) -> dict[str, str]:
    given = {**os.environ, "JAXTUTOR_HOME": str(home / "jaxtutor-home"), "PYTHONPATH": str(ROOT)}
    return {name: value for name, value in given.items() if name != "PORT"}


@contextmanager
def _serving(package: Path, home: Path) -> Iterator[str]:
    """Run VS Code's server on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    options = ["--auth", "none", "--bind-addr", address, "--disable-telemetry"]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [*_command(package, home), *options], env=_environment(home), stdout=log, stderr=log
        )
        try:
            while server.poll() is None:
                with suppress(OSError), urllib.request.urlopen(f"http://{address}/healthz"):
                    break
                sleep(0.2)
            yield address
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
