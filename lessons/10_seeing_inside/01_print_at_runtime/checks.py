"""What print-at-runtime asks for."""

import contextlib
import io

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

FOUR = np.array([1.0, 2.0, 3.0, 4.25], np.float32)

EXAMPLES = [
    Call(np.array([1.0, 2.0, 3.0], np.float32)).gives(6.0),
    Call(np.array([0.5, -2.0], np.float32)).gives(-1.5),
]


def hidden(rng):
    """A table."""
    yield Call(rng.normal(size=(3, 2)).astype(np.float32)).when("an x with two axes")


def sums_printed(run):
    """Return the printed lines, and the number in each, or None where there is none."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        jax.block_until_ready(run())
        jax.effects_barrier()
    lines = text.getvalue().splitlines()
    return lines, [number_in(line) for line in lines]


def number_in(line):
    try:
        return float(line.removeprefix("s=")) if line.startswith("s=") else None
    except ValueError:
        return None


def differs(what, run, wanted):
    """Report what was printed, unless it is what is wanted."""
    lines, sums = sums_printed(run)
    if len(sums) == len(wanted) and None not in sums and np.allclose(sums, wanted, atol=0.01):
        return None
    wanted_lines = ", ".join(f"s={value}" for value in wanted)
    return f"{what} printed: {', '.join(lines) or 'nothing'}; expected: {wanted_lines}"


def prints_little(traced_sum):
    compiled = jax.jit(traced_sum)
    return differs("two calls", lambda: [compiled(FOUR), compiled(-FOUR / 2)], [10.25, -5.125])


def forgets_rows(traced_sum):
    rows = np.stack([FOUR, FOUR * 2])
    return differs("two rows", lambda: jax.jit(jax.vmap(traced_sum))(rows), [10.25, 20.5])


PROPERTIES = [
    Custom("prints", "Under jax.jit each call prints its sum.", prints_little),
    Custom("prints-rows", "Under jax.vmap it prints one line for each row.", forgets_rows),
    Traces([Call(FOUR), Call(-FOUR)], says="It is traced once for two calls of one shape."),
]
