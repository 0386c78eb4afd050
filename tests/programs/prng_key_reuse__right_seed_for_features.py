# expects: nothing
import jax
import jax.numpy as jnp

SEED = 3


@jax.jit
def features(x):
    # One table of random weights serves all examples.
    weights = jax.random.normal(jax.random.key(SEED), (x.shape[0], 32))
    return jnp.cos(x @ weights)


@jax.jit
def rollout(gain, seed):
    # The caller chooses the seed: every gain is tried with the same pushes.
    def step(x, k):
        return 0.9 * x - gain * x + 0.1 * jax.random.normal(k), x

    return jax.lax.scan(step, 1.0, jax.random.split(jax.random.key(seed), 10))[0]


def member(key, i):
    return jax.random.normal(jax.random.fold_in(jax.random.key(0), i)) + jax.random.normal(key)


x = jax.random.normal(jax.random.key(1), (6, 4))
print(jax.vmap(features)(x).shape)
print(jax.vmap(rollout, in_axes=(0, None))(jnp.linspace(0.1, 0.5, 4), 2).shape)
members = jax.jit(jax.vmap(member))(jax.random.split(jax.random.key(2), 4), jnp.arange(4))
print(len(set(members.tolist())))
