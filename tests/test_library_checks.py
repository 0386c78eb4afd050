"""Tests which condition or expression of a library's function is quoted."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import jax.numpy as jnp

from jaxtutor.core.data.failures import LibraryCheck
from jaxtutor.worker.failures.library_checks import of_frames

LIBRARY = """
def run(layers, x):
    for layer in layers:
        x = layer(x)
    return x
"""


def check_of(folder: Path, layers: list[Any]) -> LibraryCheck | None:
    """Return what is quoted of a library that calls each layer, where that raises."""
    path = folder / "somelib.py"
    path.write_text(LIBRARY)
    names: dict[str, Any] = {"__name__": "somelib"}
    exec(compile(LIBRARY, str(path), "exec"), names)
    try:
        names["run"](layers, 1.0)
    except TypeError:
        level = sys.exc_info()[2]
        while level is not None and level.tb_next is not None:
            level = level.tb_next
        assert level is not None
        frame: FrameType = level.tb_frame
        return of_frames([(frame, level.tb_lasti, level.tb_lineno)], {}, lambda _: False)
    return None


def test_an_array_that_a_library_calls_is_named(tmp_path: Path) -> None:
    """Where a result stands for a function, the call is quoted, with what its callee is."""
    check = check_of(tmp_path, [jnp.ones(3)])
    assert check is not None
    assert ("somelib.run", "layer(x)", {"layer": "`float32[3]`"}) == (
        check.function,
        check.condition,
        check.values,
    )


def test_a_function_that_a_library_calls_is_not_named(tmp_path: Path) -> None:
    """A function that refuses its arguments is not an odd value, so nothing is quoted."""
    assert check_of(tmp_path, [len]) is None
