# expects: prng-key-reuse at 18
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x, drop_key):
    def loss(w):
        kept = jax.random.bernoulli(drop_key, 0.5, x.shape)
        return jnp.mean((w * x * kept - 1.0) ** 2)

    return w - 0.1 * jax.grad(loss)(w)


drop_key = jax.random.key(7)
w = jnp.array(0.5)
for _ in range(4):
    w = step(w, jnp.arange(3.0), drop_key)
