"""Tries unusual values and sources: what a submission is, returns, raises and replaces.

Each kind in tests/hostile/values and each generated one is checked in one session, followed by a
correct submission. Its verdict must name what happened, in time, and not affect the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure, Share, sources
from trials.hostile import check_all, made_place
from trials.kinds import FOLDER, Kind, read


def find() -> Iterator[Kind]:
    """Yield all kinds, those on disk and the generated ones."""
    yield from (read(path) for path in sorted((FOLDER / "values").glob("*.py")))
    yield from sources.kinds()


def run(share: Share) -> Iterator[Figure]:
    """Try a share of the kinds in one session."""
    kinds = share.of([*find()])
    if not kinds:
        return
    with made_place() as place:
        yield from check_all(place, kinds)
