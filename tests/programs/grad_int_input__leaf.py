# expects: grad-int-input at 10
import jax
import jax.numpy as jnp


def loss(p):
    return p["w"] * p["n"] * 1.0


jax.grad(loss)({"w": 1.0, "n": jnp.array(3)})
