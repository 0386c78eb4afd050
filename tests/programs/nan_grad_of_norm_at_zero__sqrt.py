# expects: nan-grad-of-norm-at-zero at 7
import jax
import jax.numpy as jnp


def f(x):
    return jnp.sqrt(jnp.sum(x**2))


jax.value_and_grad(f)(jnp.zeros(2))
