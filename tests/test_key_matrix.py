"""Tests that a key is followed from one transformation or container into another."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from types import ModuleType

import jax
import pytest

from jaxtutor.core.diagnosis.engine.findings import find_all
from key_programs import LAYERS, OUTER, KeyProgram, outside_and_inside
from observed_program import observe

FILE = "/learner/key_program.py"
INNER = [name for name in LAYERS if name != "while"]  # there the key is split, which is left out
PAIRS = [("eager", inner) for inner in INNER] + [(outer, "jit") for outer in OUTER]


@pytest.fixture(autouse=True)
def own_module() -> Iterator[None]:
    """Leave no module and no program of jax behind."""
    jax.clear_caches()
    yield
    jax.clear_caches()
    sys.modules.pop("key_program", None)


def causes_of(program: KeyProgram) -> set[str | None]:
    """Return the causes that are named when a program runs, certain or not."""
    sys.modules["key_program"] = module = ModuleType("key_program")
    with contextlib.redirect_stdout(io.StringIO()):
        observed = observe(program.source, FILE, module)
    certain, looks = find_all(observed, {FILE: program.source}, {})
    return {it.diagnosis.cause for it in (*certain, *looks)}


@pytest.mark.cause
@pytest.mark.parametrize(
    ("outer", "inner", "kind"),
    [
        *((outer, inner, "key") for outer, inner in PAIRS),
        *(("eager", inner, "PRNGKey") for inner in ("jit", "scan", "vmap", "split_list")),
    ],
)
def test_a_key_that_is_drawn_from_in_two_layers_is_found(outer: str, inner: str, kind: str) -> None:
    """A draw outside, and one inside of another layer, are two uses of one key."""
    program = outside_and_inside(outer, inner, kind, is_right=False)

    assert causes_of(program) == {"prng-key-reuse"}


@pytest.mark.cause
@pytest.mark.parametrize(("outer", "inner"), PAIRS[::2])
def test_two_keys_in_two_layers_are_right(outer: str, inner: str) -> None:
    """A program that splits its key first has no finding."""
    assert causes_of(outside_and_inside(outer, inner, "key", is_right=True)) == set()
