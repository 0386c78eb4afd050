# expects: impure-print at 9
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    loss = jnp.sum(w**2)
    print("loss:", loss)
    return loss


step(jnp.ones(3))
