"""Tests the figures and strong words of cause pages that no block of the page itself holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

CAUSES = Path(__file__).parent.parent / "jaxtutor" / "causes"


def exponentials() -> bool:
    """Return whether exp leaves the range of float32 where the pages say so."""
    inside, outside = jnp.exp(jnp.array([88.7, -87.3])), jnp.exp(jnp.array([88.8, -87.4]))
    return bool(jnp.isfinite(inside).all() and inside[1] > 0) and outside.tolist() == [math.inf, 0]


def exports_text() -> bool:
    """Return whether an export is StableHLO."""
    return "stablehlo" in export.export(jax.jit(lambda x: 2 * x))(jnp.ones(3)).mlir_module()


def copies() -> bool:
    """Return whether `jnp.array` copies a buffer of NumPy."""
    buffer = np.zeros(1024, np.float32)
    kept = jnp.array(buffer)
    buffer[:] = 1
    return not kept.any()


def softmax_of_one() -> bool:
    """Return what a softmax over one finite number is, and over an infinite one."""
    ends = jax.nn.softmax(jnp.array([[3.0], [-1e30], [jnp.inf]]), axis=-1)[:, 0]
    return ends[:2].tolist() == [1, 1] and bool(jnp.isnan(ends[2]))


FACTS: Mapping[tuple[str, str], Callable[[], bool]] = {
    ("result-not-finite", "overflows for x above 88.7, and on a CPU is 0 for x below -87.3."): (
        exponentials
    ),
    ("export-needs-jit", "An export holds the lowered program, its StableHLO text"): exports_text,
    ("host-buffer-reused", "`jnp.array` copies, unless it gets `copy=False`."): copies,
    ("softmax-over-wrong-axis", "a softmax is 1, whatever finite number goes in."): softmax_of_one,
}


@pytest.mark.parametrize(("page", "sentence"), FACTS)
def test_a_sentence_of_a_page_is_true(page: str, sentence: str) -> None:
    """The page has the sentence, and what it says is so with the JAX that is installed."""
    assert sentence in (CAUSES / f"{page}.md").read_text()
    assert FACTS[page, sentence]()
