"""Runs a notebook in a real JupyterLab and looks at the diagnoses: light, dark, and narrow.

    pip install jupyterlab playwright
    PLAYWRIGHT_CHROMIUM=/usr/bin/chromium python -m trials.jupyter FOLDER

The screenshots are left in FOLDER. The status is 1 if a page is not as promised. `./dev trials`
does not run it: the tests require neither JupyterLab nor a browser.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CELLS = (
    "%load_ext jaxtutor\nimport jax\nimport jax.numpy as jnp",
    "@jax.jit\ndef relu(x):\n    # the larger of x and 0\n    if x > 0:\n        return x\n"
    "    return jnp.zeros_like(x)\n\ntext = 'a long line " + 8 * "is scrolled, " + "not folded'",
    "%%diagnose\nkey = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.uniform(key)",
    "relu(jnp.float32(1))",
)
VIEWS = {
    "light": ("JupyterLab Light", 1200),
    "dark": ("JupyterLab Dark", 1200),
    "narrow": ("JupyterLab Light", 620),
}
SECONDS = 180
THEMES = "lab/user-settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
KERNEL = "share/kernels/python3/kernel.json"
IS_READY = "jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status == 'idle'"
RUN_ALL = "jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)"
HAS_RUN = "document.querySelectorAll('.jaxtutor').length == 2"
LOOK = """() => {
  const found = [...document.querySelectorAll('.jaxtutor')];
  const colour = kind => getComputedStyle(document.querySelector('.jaxtutor .' + kind)).color;
  const blocks = [...document.querySelectorAll('.jaxtutor > pre')].map(it => getComputedStyle(it));
  found.forEach(it => it.querySelector('details')?.setAttribute('open', ''));
  return {
    texts: found.map(it => it.innerText),
    colours: ['keyword', 'mark', 'added', 'removed'].map(colour),
    folded: blocks.filter(it => it.whiteSpace != 'pre' || it.overflowX != 'auto').length,
    wider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  };
}"""


def main(folder: Path) -> int:
    """Write a screenshot of each view. Return 1 if one is not as promised, and print why."""
    from playwright.sync_api import sync_playwright  # not a requirement of the tests

    folder.mkdir(parents=True, exist_ok=True)
    seen: dict[str, Any] = {}
    with sync_playwright() as play, tempfile.TemporaryDirectory() as home:
        path = os.environ.get("PLAYWRIGHT_CHROMIUM")
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for view, (theme, width) in VIEWS.items():
            with jupyter_lab(Path(home, view), theme) as address:
                page = browser.new_page(viewport={"width": width, "height": 3600})
                page.goto(address, timeout=1000 * SECONDS)
                for step in (IS_READY, RUN_ALL, HAS_RUN):
                    page.wait_for_function(step, timeout=1000 * SECONDS)
                seen[view] = page.evaluate(LOOK)
                page.screenshot(path=folder / f"{view}.png")
    problems = list(broken(seen))
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    return 1 if problems else 0


def broken(seen: dict[str, Any]) -> Iterator[str]:
    """Yield what is not as promised."""
    for view, it in seen.items():
        observed, raised = it["texts"]
        if "In [3], line 4:" not in observed or "+++ In [3]" not in observed:
            yield f"{view}: %%diagnose names another cell or line"
        if "In [2], line 4:" not in raised or "+import" in raised:
            yield f"{view}: the failing cell is another one, or its edit adds an import"
        if "Read on" not in raised:
            yield f"{view}: the page of the cause is not shown"
        if len(set(it["colours"])) < 2:
            yield f"{view}: code and diff have too few colours: {it['colours']}"
        if it["folded"] or it["wider"]:
            yield f"{view}: long lines are folded, or the page is wider than the window"
    if seen["light"]["colours"] == seen["dark"]["colours"]:
        yield "the colours do not follow the theme"


@contextmanager
def jupyter_lab(home: Path, theme: str) -> Iterator[str]:
    """Run JupyterLab with a kernel of this Python; give the address of the notebook."""
    cell: dict[str, object] = {"cell_type": "code", "metadata": {}, "execution_count": None}
    cell["outputs"] = []
    kernel = {"name": "python3", "display_name": "Python", "language": "python"}
    files = {
        KERNEL: {
            **kernel,
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "env": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        },
        THEMES: {"theme": theme},
        "work/cells.ipynb": {
            "cells": [{**cell, "id": str(n), "source": it} for n, it in enumerate(CELLS)],
            "metadata": {"kernelspec": kernel},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
    }
    for name, content in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(json.dumps(content))
    places = {
        "HOME": home,
        "JUPYTER_CONFIG_DIR": home,
        "JUPYTER_PATH": home / "share",
        "JUPYTERLAB_SETTINGS_DIR": home / "lab" / "user-settings",
    }
    environ = {**os.environ, **{name: str(path) for name, path in places.items()}}
    token, port = secrets.token_hex(8), free_port()
    options = ["--no-browser", "--allow-root", "--LabApp.expose_app_in_browser=True"]
    options += [f"--port={port}", f"--IdentityProvider.token={token}", str(home / "work")]
    command = [os.environ.get("JUPYTER_LAB", "jupyter-lab"), *options]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
        try:
            await_answer(f"http://localhost:{port}/api?token={token}")
            yield f"http://localhost:{port}/doc/tree/cells.ipynb?token={token}"
        finally:
            server.terminate()
            server.wait(30)


def free_port() -> int:
    """Return a port that no program listens on."""
    with socket.create_server(("localhost", 0)) as server:
        return int(server.getsockname()[1])


def await_answer(address: str) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
