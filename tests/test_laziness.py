"""Says what is imported late, and why: what is named here may not be imported any earlier.

Imports grow unnoticed, one useful line at a time. A module is worth naming if it takes a hundredth
of what a command or a worker does at its start, and most runs do not need it.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Done, ObservationFacts
from jaxtutor.core.data.observations import KeyAgain

WATCHING = "jaxtutor.worker.watching"
LATE = {
    "jaxtutor.worker.stages": {
        "jax.extend": "its package imports Pallas, which takes longer than all that watches",
        f"{WATCHING}.eval_trace": "only a gradient that fails is evaluated again",
        f"{WATCHING}.instrument": "a check changes nothing in jax",
        f"{WATCHING}.program_walk": "only `diagnose` looks into compiled programs",
        f"{WATCHING}.key_flow": "only `diagnose` follows keys",
        f"{WATCHING}.ledger": "only `diagnose` follows a training",
        "jaxtutor.worker.page_blocks": "only `lesson test` runs the blocks of a page",
    },
    "jaxtutor.worker.script_process": {
        "jax": "the program imports it, and is not asked before it does",
    },
    "jaxtutor.checks.lesson_check": {
        "jaxtutor.core.diagnosis.refusals": "only a failure without a cause is explained with them",
        "jaxtutor.core.diagnosis.engine.fallback_advice": "as the refusals",
        "jaxtutor.core.diagnosis.logs": "only `explain -` reads pasted texts",
        "rich.console": "the worker's work comes first",
    },
    "jaxtutor.app": {
        "tomllib": "only a command that reads a lesson's or the settings' file needs it",
        "sqlite3": "the store is opened where it is read",
        "jaxtutor.processes": "only a check starts processes",
        "jaxtutor.core.data.facts": "only a check has facts",
    },
    "jaxtutor.commands.explain": {
        "jaxtutor.core.data.facts": "only `--json` describes what a check found",
        "jaxtutor.core.diagnosis.engine.index": "only the list of all pages has topics",
    },
}
"""For a module that everything of its kind imports: what it may not import, and why."""


@pytest.mark.parametrize(
    ("module", "late"), [(module, late) for module, rest in LATE.items() for late in rest]
)
def test_what_few_runs_need_is_imported_late(module: str, late: str) -> None:
    """A module that is needed late is not imported at the start."""
    assert late not in imported_by(module), LATE[module][late]


def test_the_table_would_notice() -> None:
    """What a module does import is seen."""
    assert {"jax", "jaxtutor.worker.watching.effects_watch"} <= imported_by(
        "jaxtutor.worker.stages"
    )


def test_a_thread_that_reads_ahead_reads_no_page() -> None:
    """Getting ready for a diagnosis reads no page: a cause that is found has a page, others not."""
    library = Library()
    library.read_ahead().join()
    assert {} == library._read


def test_a_kind_of_event_is_described_when_it_first_arrives() -> None:
    """Reading an event builds the decoder of its own kind only."""
    token = bytes(wire.TOKEN_SIZE)
    wire._decoder.cache_clear()

    def read(event: Done | ObservationFacts) -> int:
        (body,) = wire.split(token, bytearray(wire.encode(token, event)))
        assert event == wire.read_event(body)
        return wire._decoder.cache_info().currsize

    kind_and_event = 2
    assert kind_and_event == read(Done(1.0)) == read(Done(2.0))
    assert kind_and_event + 1 == read(ObservationFacts(KeyAgain(name="key")))


KNOWN: dict[str, frozenset[str]] = {}


def imported_by(module: str) -> frozenset[str]:
    """Return what a fresh process has imported after one import."""
    if module not in KNOWN:
        done = subprocess.run(
            [sys.executable, "-c", f"import {module}, sys; print(*sys.modules)"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        KNOWN[module] = frozenset(done.stdout.split())
    return KNOWN[module]
