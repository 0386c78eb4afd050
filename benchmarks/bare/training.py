"""Trains a small network as a user's own script would, and prints how long the loop took.

    python training.py STEPS

Prints the loop's wall time and processor time in seconds, tracing and compiling included, and the
process's largest resident memory in MB. Batches come from NumPy, each step splits a key, and the
loss is logged, as in most tutorials.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

SIZES = (64, 256, 256, 10)
BATCH = 128
ROWS = 4096
EVERY = 50


def make(key: Any) -> list[tuple[Any, Any]]:
    """Return the parameters of a network."""
    keys = jax.random.split(key, len(SIZES) - 1)
    pairs = zip(keys, SIZES[:-1], SIZES[1:], strict=True)
    return [(jax.random.normal(k, (m, n)) / np.sqrt(m), jnp.zeros(n)) for k, m, n in pairs]


def loss(params: Any, x: Any, y: Any, key: Any) -> Any:
    """Return the cross-entropy, with dropout."""
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    x = jnp.where(jax.random.bernoulli(key, 0.9, x.shape), x / 0.9, 0.0)
    w, b = params[-1]
    logits = jax.nn.log_softmax(x @ w + b)
    return -jnp.mean(jnp.take_along_axis(logits, y[:, None], axis=1))


@jax.jit
def step(params: Any, x: Any, y: Any, key: Any) -> Any:
    """Return the parameters after one step, and the loss before it."""
    value, slopes = jax.value_and_grad(loss)(params, x, y, key)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, slopes), value


def main(steps: int) -> None:
    """Train for a number of steps."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(ROWS, SIZES[0])).astype(np.float32)
    labels = rows[:, : SIZES[-1]].argmax(1).astype(np.int32)
    key, made = jax.random.split(jax.random.key(0))
    params = make(made)
    average = jnp.zeros(())
    wall, processor = time.perf_counter(), time.process_time()
    for number in range(steps):
        key, sub = jax.random.split(key)
        chosen = rng.integers(0, ROWS, BATCH)
        params, value = step(params, jnp.asarray(rows[chosen]), labels[chosen], sub)
        average = 0.9 * average + 0.1 * value
        if number % EVERY == 0:
            sys.stderr.write(f"step {number}: {float(average):.3f}\n")
    jax.block_until_ready(params)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"{wall} {processor} {largest}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
