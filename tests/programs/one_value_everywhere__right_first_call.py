# expects: nothing
"""A model that is set up with one example, a softmax that gets longer, and scores that reach 1."""

import jax
import jax.numpy as jnp


def normalised(x):
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-5)


def attend(query, keys, values):
    return jax.nn.softmax(keys @ query / 2, axis=0) @ values


rows = jax.random.normal(jax.random.key(0), (32, 16))
shapes = [normalised(rows[:count]).sum() for count in (1, 8, 32)]
history = [jax.vmap(attend, (0, None, None))(rows, rows[:n], rows[:n]).sum() for n in (1, 2, 3)]
squashed = [jnp.tanh(scale * (1 + rows**2)).mean() for scale in (100.0, 1.0)]
print(shapes, history, squashed)
