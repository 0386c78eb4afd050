# expects: new-callable-each-call at 15
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def energy(x, stiffness):
    return 0.5 * stiffness * jnp.sum(x**2)


def compare(x, levels):
    found = []
    for level in levels:
        slope = eqx.filter_jit(lambda x: jax.grad(energy)(x, level))
        found.append(slope(x))
    return jnp.stack(found)


print(compare(jnp.ones(3), jnp.linspace(1.0, 2.0, 5)))
