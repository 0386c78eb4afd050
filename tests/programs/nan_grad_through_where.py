# expects: nan-grad-through-where at 7
import jax
import jax.numpy as jnp


def f(x):
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(x), 0.0))


jax.grad(f)(jnp.array([0.0, 1.0]))
