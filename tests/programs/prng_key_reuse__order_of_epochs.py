# expects: prng-key-reuse at 25
import jax
import jax.numpy as jnp


def batches(key, x, size):
    order = jax.random.permutation(key, len(x))
    return [x[order[start : start + size]] for start in range(0, len(x), size)]


def draw_noise(key, shape):
    return 0.1 * jax.random.normal(key, shape)


@jax.jit
def step(w, batch):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((batch - w) ** 2))(w)


data_key, order_key = jax.random.split(jax.random.key(0))
x = 2.0 + draw_noise(data_key, (32,))
w = jnp.array(0.0)
for epoch in range(3):
    # The batches are the same in each epoch.
    for batch in batches(order_key, x, 8):
        w = step(w, batch)
    print(epoch, w)
