# expects: layer-without-key at 18
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def noisy(x):
    noise = 0.1 * jax.random.normal(hk.next_rng_key(), x.shape)
    return hk.Linear(1)(x + noise)


forward = hk.transform(noisy)
params = forward.init(jax.random.PRNGKey(0), jnp.ones((2, 3)))


def predict(params, seed_key, x):
    return forward.apply(params, None, x)


print(predict(params, jax.random.PRNGKey(1), jnp.ones((2, 3))).shape)
