# expects: concat-not-sequence at 8
import jax
import jax.numpy as jnp


def gather(days):
    first, *rest = days
    return jax.tree_util.tree_map(jnp.concatenate, first, *rest)


gather([{"rain": jnp.ones(2)}, {"rain": jnp.zeros(3)}])
