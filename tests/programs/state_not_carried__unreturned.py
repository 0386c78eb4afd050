# expects: state-not-carried at 10
import jax
import jax.numpy as jnp


@jax.jit
def step(w, shadow, batch):
    x, y = batch
    w = w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    shadow = 0.99 * shadow + 0.01 * w
    return w


x = jax.random.normal(jax.random.key(0), (8, 3))
batch = (x, x @ jnp.ones(3))
w = shadow = jnp.zeros(3)
for _ in range(5):
    w = step(w, shadow, batch)
print(w, shadow)
