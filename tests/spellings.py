"""Reads the small programs that make each mistake in many spellings, from `data/spellings.toml`."""

from __future__ import annotations

import textwrap
import tomllib
from pathlib import Path

_DATA = tomllib.loads((Path(__file__).parent / "data" / "spellings.toml").read_text("utf-8"))


def _of_body(body: str) -> str:
    return f"{_DATA['prelude']}{textwrap.indent(body, '    ')}\n{_DATA['call']}\n"


# The programs by the cause that each has, and programs that are right.
SPELLINGS: dict[str, tuple[str, ...]] = {
    cause: (
        *map(_of_body, _DATA["bodies"].get(cause, ())),
        *(f"{_DATA['imports']}{source}\n" for source in _DATA["statements"].get(cause, ())),
    )
    for cause in (_DATA["bodies"] | _DATA["statements"])
}
RIGHT: tuple[str, ...] = tuple(_DATA["imports"] + source for source in _DATA["right"])
