"""What numpy-on-tracer requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Traces, Types, Vmap

ONE = np.array([1.0], np.float32)
TIMES = np.array([0.1, 0.35], np.float32)
THREE = np.array([1.0, 2.0, 3.5], np.float32)

EXAMPLES = [
    Call(np.array([0.0, 0.25], np.float32), ONE).gives([[0.0, 1.0], [1.0, 0.0]]),
    Call(np.array([0.0, 0.5], np.float32), ONE).gives([[0.0, 1.0], [0.0, -1.0]]),
]


def hidden(rng):
    """Several frequencies, equal ones, as many as times, one time, and angles of all kinds."""
    yield Call(TIMES, THREE).when("several frequencies")
    yield Call(rng.uniform(-1, 1, 2).astype(np.float32), rng.uniform(0, 4, 3).astype(np.float32))
    yield Call(np.array([0.1, 0.4, 0.6], np.float32), np.array([1.0, 2.0, 2.0], np.float32)).when(
        "as many times as frequencies"
    )
    yield Call(
        np.array([-0.9], np.float32), np.array([0.125, 0.375, 0.625, 0.875], np.float32)
    ).when("angles in every quadrant")


PROPERTIES = [
    Types(
        [Call(TIMES.astype(t), THREE.astype(t)) for t in (jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of the arguments: bfloat16 and float32 stay what they are.",
    ),
    Traces(
        [Call(TIMES, THREE), Call(-TIMES, THREE), Call(TIMES, THREE * 2)],
        says="It is traced once for three calls of one shape.",
    ),
    SameSize(
        [Call(TIMES, THREE), Call(np.ones(50, np.float32), np.ones(40, np.float32))],
        says="Its jaxpr has no more equations for 50 times and 40 frequencies than for 2 and 3.",
    ),
    Vmap(
        [Call(np.stack([TIMES, -TIMES]), THREE)],
        in_axes=(0, None),
        says="Under jax.vmap each row of times has its own features.",
    ),
    Gradient(
        [Call(TIMES, THREE)],
        argnums=(0, 1),
        says="It has a gradient with respect to the times and to the frequencies.",
    ),
]
