"""Tests which functions are found to return means over batches of two sizes."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import MeansOfBatches
from jaxtutor.core.diagnosis.engine.findings import find_all
from observed_program import observe

FILE = "/learner/batch_means.py"
START = """
import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(60.0).reshape(30, 2)

def parts(size):
    return [x[i : i + size] for i in range(0, 30, size)]
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def sizes_in(result: str, size: int = 8) -> list[tuple[int, int]]:
    """Return the sizes of the batches of which a function is seen to return means."""
    text = f"f = jax.jit(lambda x: {result})\nfor part in parts({size}):\n    f(part)\n"
    seen = observe(START + text, FILE)
    return [(it.rows, it.fewest) for it in seen if isinstance(it, MeansOfBatches)]


@pytest.mark.parametrize(
    "result",
    [
        "jnp.mean(x)",
        "x[:, 0].mean()",
        "jnp.mean(jnp.sum(x**2, axis=1))",
        "0.5 * jnp.mean(x) + 1.0",
        "(jnp.max(x), {'loss': jnp.mean(x > 3)})",
        "jnp.sum(x[:, 0]) / x.shape[0]",
    ],
)
def test_a_mean_over_rows_is_seen(result: str) -> None:
    """A sum over the rows is divided by their number, in a batch of each size."""
    assert sizes_in(result) == [(8, 6)]


@pytest.mark.parametrize(
    "result",
    ["jnp.sum(x)", "jnp.mean(x, axis=0)", "jnp.max(x)", "jnp.mean(x, axis=1)", "jnp.mean(x[:4])"],
)
def test_another_result_is_not_seen(result: str) -> None:
    """What is not one mean over all rows is left out."""
    assert sizes_in(result) == []


def test_batches_of_one_size_are_not_seen() -> None:
    """Means over as many rows each may be averaged."""
    assert sizes_in("jnp.mean(x)", size=10) == []


def averaged_at(text: str) -> list[str]:
    """Return the lines that are found to average means."""
    program = START + "f = jax.jit(lambda x: jnp.mean(x))\n" + dedent(text)
    _, looks = find_all(observe(program, FILE), {FILE: program}, {})
    found = [it.diagnosis for it in looks if it.diagnosis.cause == "mean-of-batch-means"]
    return [program.splitlines()[it.span.line - 1].strip() for it in found if it.span is not None]


@pytest.mark.parametrize(
    ("collecting", "averaging"),
    [
        ("means = [f(p) for p in parts(8)]", "np.mean(means)"),
        ("", "jnp.array([f(p) for p in parts(8)]).mean()"),
        ("", "sum(f(p) for p in parts(8)) / 4"),
        ("means = [f(p) for p in parts(8)]", "sum(means) / len(means)"),
        ("means = jnp.stack([f(p) for p in parts(8)])", "jax.tree.map(lambda x: x.mean(), means)"),
        ("means = []\nfor p in parts(8):\n    means.append(f(p).item())", "np.mean(means)"),
        ("total = 0.0\nfor p in parts(8):\n    total += f(p)", "total / 4"),
        (
            "total = 0.0\nfor p in parts(8):\n    value = f(p)\n    total = total + value",
            "total / 4",
        ),
        ("means = []\nfor p in parts(8):\n    means.append(f(p))", "np.average(means)"),
    ],
)
def test_means_that_are_averaged_are_found(collecting: str, averaging: str) -> None:
    """The results are followed through lists and sums to where they are averaged."""
    assert averaged_at(f"{collecting}\nprint({averaging})\n") == [f"print({averaging})"]


@pytest.mark.parametrize(
    "text",
    [
        "print([f(p) for p in parts(8)])",
        "for p in parts(8):\n    print(f(p))",
        "print(sum(f(p) * len(p) for p in parts(8)) / 30)",
        "total = 0.0\nfor p in parts(8):\n    total += len(p) * f(p)\nprint(total / 30)",
        "m = [f(p) for p in parts(8)]\nprint(np.average(m, weights=[8, 8, 8, 6]))",
        "m = jnp.array([f(p) for p in parts(8)])\nprint(m @ jnp.ones(4) / 4)",
        "m = [f(p) for p in parts(8)]\nprint(np.std(m), x.mean())",
    ],
)
def test_weights_and_other_uses_are_not_found(text: str) -> None:
    """Nothing is found where the sizes enter, or nothing is averaged."""
    assert averaged_at(text) == []


def test_the_losses_of_a_training_are_not_found() -> None:
    """A step that gets back what it has returned computes each mean with other parameters."""
    text = """
    step = jax.jit(lambda w, x: (w - jnp.mean(x), jnp.mean(w * x)))
    w, losses = 0.0, []
    for p in parts(8):
        w, loss = step(w, p)
        losses.append(loss)
    print(np.mean(losses))
    """
    assert averaged_at(text) == []
