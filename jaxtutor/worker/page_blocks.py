"""Runs the Python blocks of a page in order, in one namespace, and reports each result."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from jaxtutor.core.data.facts import BlockFacts, Event
from jaxtutor.core.data.lessons import Block
from jaxtutor.core.data.requests import ProseRequest
from jaxtutor.worker import course_modules, shown_calls, sources
from jaxtutor.worker.failures import failure
from jaxtutor.worker.stages import Send


def run(request: ProseRequest, send: Send) -> None:
    """Run every block, also those after a block that raises."""
    course_modules.compile_from_source(str(Path(request.file).parent))
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in request.blocks:
        send(_run_block(block, request, names))


def _run_block(block: Block, request: ProseRequest, names: dict[str, Any]) -> Event:
    label = f"{request.file}:{block.line}"
    sources.keep(label, block.source)
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            if block.shown:
                shown_calls.compare(request, block.source, block.line, names)
                return BlockFacts(block.line, printed.getvalue())
            exec(compile(block.source, label, "exec", dont_inherit=True), names)
    except BaseException as error:  # a block may raise anything, and its fence may expect it
        described = failure.describe(error, lambda name: name == label)
        return BlockFacts(block.line, printed.getvalue(), described)
    return BlockFacts(block.line, printed.getvalue())
