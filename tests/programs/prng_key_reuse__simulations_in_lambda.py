# expects: prng-key-reuse at 16
import jax
import jax.numpy as jnp


def episode(policy, state, key):
    total = 0.0
    for _ in range(5):
        key, noise_key = jax.random.split(key)
        state = state + policy * state + jax.random.normal(noise_key, state.shape)
        total = total - jnp.sum(state**2)
    return total


def value(policy, states, rng):
    returns = jax.vmap(lambda s: episode(policy, s, rng))(states)
    return jnp.mean(returns)


print(value(-0.5, jnp.ones((6, 2)), jax.random.key(3)))
