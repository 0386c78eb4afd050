"""Many chains, side by side."""

import jax
import jax.numpy as jnp


def sample(key, logp, starts, step, n, draws):
    """Return the places of each chain, shape (chains, draws, d), and their probabilities."""
    places, probabilities = [], []
    # TODO: each draw of each chain is in the program, and all chains use the same keys.
    for q in starts:
        for draw_key in jax.random.split(key, draws):
            q, probability = hmc_step(draw_key, logp, q, step, n)
            places.append(q)
            probabilities.append(probability)
    shape = starts.shape[0], draws
    return jnp.stack(places).reshape(*shape, -1), jnp.stack(probabilities).reshape(shape)
