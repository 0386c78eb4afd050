# expects: nothing
import jax
import jax.numpy as jnp


def log_prior(weights, width):
    """Return the logarithm of a prior, that of a flat one without a width."""
    squares = jnp.sum(weights**2)
    return -0.5 * squares / width**2 if width else jnp.zeros(())


def log_likelihood(weights, points, values):
    return -0.5 * jnp.sum((points @ weights - values) ** 2)


def energy(place, speed):
    """Return the energy of a particle that no force acts on."""
    distance = jnp.sqrt(jnp.sum(place**2))
    return 0.5 * jnp.sum(speed**2), {"distance": distance}


@jax.jit
def update(weights, points, values):
    slopes = jax.tree.map(
        lambda a, b: a + b,
        jax.grad(log_prior)(weights, None),
        jax.grad(log_likelihood)(weights, points, values),
    )
    return weights + 0.05 * slopes


points = jnp.sin(jnp.arange(8.0)).reshape(4, 2)
weights = jnp.array([0.3, -0.2])
for _ in range(8):
    weights = update(weights, points, points @ jnp.array([1.0, 2.0]))
force, seen = jax.grad(energy, has_aux=True)(jnp.ones(2), jnp.array([0.5, 0.1]))
print(weights, force, seen["distance"])
