# expects: addition-lost at 18
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Accuracy(NamedTuple):
    right: jax.Array
    seen: jax.Array


@jax.jit
def update(metric, scores, labels):
    hits = scores.argmax(-1) == labels
    return Accuracy(
        right=metric.right + hits.sum(),
        seen=metric.seen + labels.size,
    )


metric = Accuracy(jnp.int32(0), jnp.bfloat16(0))
labels = jnp.array([0, 2, 1])
for _ in range(340):
    metric = update(metric, jnp.eye(3), labels)
print(f"{float(metric.right / metric.seen):.2f}")
