"""What numpy-on-tracer asks for."""

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
    """Several frequencies: all sines come before all cosines."""
    yield Call(TIMES, THREE)
    yield Call(rng.uniform(-1, 1, 2).astype(np.float32), rng.uniform(0, 4, 3).astype(np.float32))


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
        says="50 times and 40 frequencies take no more equations than 2 and 3.",
    ),
    Vmap(
        [Call(np.stack([TIMES, -TIMES]), THREE)],
        in_axes=(0, None),
        says="Under jax.vmap each row of times has its own features.",
    ),
    Gradient(
        [Call(TIMES, THREE)],
        argnums=(0, 1),
        says="It has a gradient in the times and in the frequencies.",
    ),
]
