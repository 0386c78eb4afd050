"""Tries unusual values and sources: what a submission is, returns, raises and replaces.

Each kind in tests/hostile/values and each generated one is checked in one session, followed by a
correct submission. Its verdict must name what happened, in time, and not affect the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure, sources
from trials.hostile import check_all, made_place
from trials.kinds import FOLDER, Kind, read

CORE = (
    "error_text_surrogates",
    "gives_deep_dict",
    "made_attributes",
    "made_latin1",
    "replaces_all_builtins",
    "wrapped_cycle",
)
"""Kinds for a short trial."""


def find() -> Iterator[Kind]:
    """Yield all kinds, those on disk and the generated ones."""
    yield from (read(path) for path in sorted((FOLDER / "values").glob("*.py")))
    yield from sources.kinds()


def run(size: float) -> Iterator[Figure]:
    """Try every kind in one session, or a few chosen ones below size 1."""
    kinds = [kind for kind in find() if size >= 1 or kind.name in CORE]
    with made_place() as place:
        yield from check_all(place, kinds)
