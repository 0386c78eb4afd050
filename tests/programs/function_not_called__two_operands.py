# expects: function-not-called at 14
import jax
import jax.numpy as jnp


def kinetic(v):
    return 0.5 * jnp.sum(v**2)


def potential(x):
    return jnp.sum(jnp.cos(x))


total = kinetic + potential
print(jax.grad(total)(jnp.ones(2)))
