# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def simulate(key, x):
    """Add noise to a signal, from the first keys of a split, and drop some of its elements."""
    first, second = jax.random.split(key)
    noisy = x + jax.random.normal(first, x.shape) + jax.random.cauchy(second, x.shape)
    mask = jax.random.bernoulli(jax.random.fold_in(key, 2), 0.8, x.shape)
    return jnp.where(mask, noisy, 0.0)


@jax.jit
def walk(keys, x):
    """Draw from the first key, and in a loop from the others."""
    x = x + jax.random.normal(keys[0], x.shape)
    return jax.lax.scan(lambda x, k: (x + jax.random.normal(k, x.shape), None), x, keys[1:])[0]


def start(key):
    """Draw, and derive keys by numbers from the same one, as JAX allows."""
    x = jax.random.normal(key, (5,))
    return [x + jax.random.normal(jax.random.fold_in(key, n), (5,)) for n in range(3)]


print(simulate(jax.random.key(0), jnp.ones(5)))
print(walk(jax.random.split(jax.random.key(1), 4), jnp.ones(5)))
print(start(jax.random.key(2))[0].shape)
