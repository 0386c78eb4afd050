# expects: mean-of-batch-means at 33
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x, y):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)


@jax.jit
def validate(w, x, y):
    errors = x @ w - y
    return jnp.mean(errors**2), jnp.mean(jnp.abs(errors) < 0.1)


def batches(x, y, size):
    for start in range(0, len(x), size):
        yield x[start : start + size], y[start : start + size]


x = jax.random.normal(jax.random.key(0), (150, 3))
y = x @ jnp.array([1.0, -2.0, 0.5]) + x[:, 0] ** 2
w = jnp.zeros(3)
for epoch in range(3):
    for xb, yb in batches(x[:100], y[:100], 20):
        w = step(w, xb, yb)
    total, count = 0.0, 0
    for xb, yb in batches(x[100:], y[100:], 16):
        loss, hits = validate(w, xb, yb)
        total += loss.item()
        count += 1
    print(epoch, total / count)
