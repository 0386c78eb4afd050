"""Implements `lsp`."""

from __future__ import annotations

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.errors import TutorError


def serve(app: App) -> int:
    """Serve one editor on standard input and output."""
    try:
        from jaxtutor.language_server.server import JaxServer
    except ImportError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise TutorError(
            "The language server needs the package pygls.",
            "Install it where jaxtutor is installed: pip install 'pygls>=2'",
        ) from None
    JaxServer(app).serve()
    return PASSED
