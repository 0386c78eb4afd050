"""Owns the running of a page's Python blocks: as one session, in order, each held to its fence."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

from jaxtutor.core.data.lessons import Block
from jaxtutor.core.data.model import BlockFacts, Event, ProseRequest
from jaxtutor.worker import failure, sources
from jaxtutor.worker.stages import Send


def run(request: ProseRequest, send: Send) -> None:
    """Run the blocks, going on after one that raises, as a reader would."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in request.blocks:
        send(_run_block(block, request.file, names))


def _run_block(block: Block, file: str, names: dict[str, Any]) -> Event:
    label = f"{file}:{block.line}"
    sources.keep(label, block.source)
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            exec(compile(block.source, label, "exec", dont_inherit=True), names)
    except BaseException as error:  # a block may raise anything; that is what is asked
        described = failure.describe(error, lambda name: name == label)
        return BlockFacts(block.line, printed.getvalue(), described)
    return BlockFacts(block.line, printed.getvalue())
