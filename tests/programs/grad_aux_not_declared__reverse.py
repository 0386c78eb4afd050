# expects: grad-aux-not-declared at 10
import jax
import jax.numpy as jnp


def loss(w):
    return (w**2).sum()


v, g = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3))
