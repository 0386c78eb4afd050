"""Implements `docs`: opens pages of the site, on the web or from a folder with a built site."""

from __future__ import annotations

import http.server
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.explain import find_address
from jaxtutor.core import addresses
from jaxtutor.core.reporting.outputs.learning import DocsOutput
from jaxtutor.errors import UsageError

HOST = "127.0.0.1"
BUILT = Path("build", "site", "html")
"""Where a checkout has its site, once it is built."""


def open_docs(app: App, name: str | None, folder: Path | None) -> int:
    """Open a page in a browser; one from a folder is served until Ctrl-C."""
    folder = folder or _built_here()
    if folder is None:
        if not addresses.SITE:
            raise UsageError(
                "This installation knows no site.",
                "Show a page here: jaxtutor explain NAME. Build the site in a checkout: ./dev site",
            )
        return _show(app, _address_of(app, name, addresses.SITE))
    if not (folder / "index.html").is_file():
        raise UsageError(f"{folder} has no index.html.", "Build the site in a checkout: ./dev site")
    with serve(folder) as (address, server):
        _show(app, _address_of(app, name, address))
        app.console.print("The pages are served until you press Ctrl-C.", style="quiet")
        app.console.file.flush()
        server.join()
    return PASSED


def _built_here() -> Path | None:
    """Return the folder of the site that was built in this checkout, if it was."""
    built = Path(__file__).resolve().parent.parent.parent / BUILT
    return built if (built / "index.html").is_file() else None


def _address_of(app: App, name: str | None, site: str) -> str:
    """Return the address of a page, below that of the site. Raises UsageError."""
    return (name and find_address(app, name, site)) or f"{site}/"


def _show(app: App, address: str) -> int:
    """Print an address, and open it if there is a browser."""
    if app.options.json:
        app.print_json(DocsOutput(address=address))
        return PASSED
    app.console.print(address, style="code", soft_wrap=True)
    if app.console.is_terminal:
        webbrowser.open(address)
    return PASSED


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder, and logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def serve(folder: Path) -> Iterator[tuple[str, threading.Thread]]:
    """Serve a folder on this machine only; yield its address and the thread that serves."""
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer((HOST, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_address[1]}", thread
        finally:
            server.shutdown()
