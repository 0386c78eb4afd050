"""Runs the part `fuzz`: random inputs, and the promises that must hold for all of them.

Each module has the targets of one area; `programs` runs mutated programs. Inputs that broke a
promise are kept in tests/test_fuzz.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure, Share

PROGRAMS = 5_000
FIXED = 100


def run(share: Share) -> Iterator[Figure]:
    """Try every target, then mutated programs."""
    size = share.size
    from trials.fuzz import cells, drawings, edits, loading, programs, reports, streams, verified

    for module in (loading, edits, drawings, cells, streams, reports):
        for target in module.TARGETS:
            yield target.attempt(round(target.cases * size))
    yield from programs.run(round(PROGRAMS * size))
    yield from verified.run(round(FIXED * size))
