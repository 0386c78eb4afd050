# expects: digits-cancelled at 17
import jax
import jax.numpy as jnp


def energy(angle):
    return jnp.sin(angle) ** 2


def other_energy(angle):
    return 1 - jnp.cos(angle) ** 2


@jax.jit
def mismatch(angles):
    """Compare two ways to write one quantity, in micro-units."""
    apart = energy(angles) - other_energy(angles)
    return 1e6 * apart


print(mismatch(jax.random.uniform(jax.random.key(0), (6,))))
