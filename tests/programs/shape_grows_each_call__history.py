# expects: shape-grows-each-call at 14
import jax
import jax.numpy as jnp


@jax.jit
def level(history):
    return jnp.mean(history)


def simulate(days):
    history = [1.0]
    for day in range(days):
        history.append(0.5 * float(level(jnp.array(history))) + day)
    return history


simulate(6)
