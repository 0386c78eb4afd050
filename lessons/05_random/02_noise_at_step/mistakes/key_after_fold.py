# expects: check follows-the-step
# says: Your noise does not depend on the step. `fold_in` does not change the key you give it: it
#     returns a new one.
"""Folds the step in, and then draws from the old key."""

import jax


def noise(key, step, shape):
    jax.random.fold_in(key, step)
    return jax.random.normal(key, shape)
