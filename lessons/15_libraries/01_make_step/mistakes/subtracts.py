# expects: check values
# says: Your parameters move uphill. What an Optax optimiser returns has its sign already: it is
#     added.
"""Subtracts the updates."""

import jax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(grads, state, params)
        params = jax.tree.map(lambda p, u: (p - u).astype(p.dtype), params, updates)
        return params, state, value

    return step
