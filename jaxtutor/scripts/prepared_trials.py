"""Gets ready for trying fixes while a learner's program runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import for_trial
from jaxtutor.processes.templates import Templates

if TYPE_CHECKING:
    from jaxtutor.content.cause_pages import Library

PREPARED_SECONDS = 5.0
"""Seconds within which a program must end so that its fixes are tried in forks."""


@contextmanager
def prepared_trials(library: Library, device: str | None) -> Iterator[Runner]:
    """Yield a runner for `fix_script` that gets ready while the program itself runs.

    First the library does, since a diagnosis is needed before its fix. Then a process imports jax
    on another CPU; it ends after PREPARED_SECONDS without a trial, to save memory.
    """
    templates = Templates()

    def prepare() -> None:
        if (os.cpu_count() or 1) > 1:
            templates.prepare(for_trial(device, is_forked=True), PREPARED_SECONDS)

    with closing(Runner(templates=templates)) as runner:
        reading = library.read_ahead(prepare)
        try:
            yield runner
        finally:
            reading.join()
