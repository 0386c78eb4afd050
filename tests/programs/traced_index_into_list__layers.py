# expects: traced-index-into-list at 10
import jax
import jax.numpy as jnp


weights = [jnp.ones((2, 2)), jnp.zeros((2, 2))]


def body(i, x):
    return weights[i] @ x


jax.lax.fori_loop(0, 2, body, jnp.ones(2))
