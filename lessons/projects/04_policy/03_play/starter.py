"""Many episodes at once."""

import jax
import jax.numpy as jnp


def play(policy, key, n, length):
    """Return states (n, length, 4), actions (n, length) and alive (n, length) of n episodes."""
    start = reset(key)
    # TODO: these are n copies of one episode, each of them in the program.
    played = [episode(policy, key, start, length) for _ in range(n)]
    return tuple(jnp.stack(part) for part in zip(*played, strict=True))
