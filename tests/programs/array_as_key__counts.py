# expects: array-as-key at 11
import collections

import jax
import jax.numpy as jnp


def histogram(labels):
    counts = collections.Counter()
    for label in labels:
        counts[label] += 1
    return counts


print(histogram(jax.random.randint(jax.random.key(0), (5,), 0, 3)))
