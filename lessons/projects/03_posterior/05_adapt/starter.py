"""A step length that fits."""

import jax
import jax.numpy as jnp


def adapt(state, probability, target=0.8):
    """Return the state of the adaptation after a transition with this probability."""
    # TODO: the step length never changes.
    return {**state, "count": state["count"] + 1}


def begin(step):
    """Return the state of an adaptation that starts with a step length."""
    zero = jnp.float32(0.0)
    logs = {"anchor": jnp.log(10.0 * step), "log_step": jnp.log(step), "log_average": zero}
    return {**logs, "shortfall": zero, "count": zero}


def warm_up(key, logp, starts, first, n, draws):
    """Run the chains for some draws; return their last places and the step length found."""

    def move(carry, key):
        places, state = carry
        step = jnp.exp(state["log_step"])
        keys = jax.random.split(key, starts.shape[0])
        places, probabilities = jax.vmap(lambda k, q: hmc_step(k, logp, q, step, n))(keys, places)
        return (places, adapt(state, probabilities.mean())), None

    keys = jax.random.split(key, draws)
    (places, state), _ = jax.lax.scan(move, (starts, begin(jnp.float32(first))), keys)
    return places, jnp.exp(state["log_average"])
