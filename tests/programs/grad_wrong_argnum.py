# expects: grad-wrong-argnum at 10
import jax
import jax.numpy as jnp


def loss(key, w):
    return (w * jax.random.normal(key, w.shape)).sum()


jax.grad(loss)(jax.random.key(0), jnp.ones(3))
