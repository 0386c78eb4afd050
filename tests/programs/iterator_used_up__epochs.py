# expects: iterator-used-up at 18
import jax
import jax.numpy as jnp


def load(xs, ys, size):
    for start in range(0, len(xs), size):
        yield xs[start : start + size], ys[start : start + size]


@jax.jit
def step(w, x, y):
    return w - 0.1 * jax.grad(lambda v: jnp.mean((x @ v - y) ** 2))(w)


xs = jax.random.normal(jax.random.key(0), (32, 3))
ys = xs @ jnp.array([1.0, -2.0, 0.5])
loader = load(xs, ys, 8)
w = jnp.zeros(3)
for epoch in range(20):
    count = 0
    for x, y in loader:
        w = step(w, x, y)
        count += 1
    if epoch % 5 == 0:
        print(epoch, count, w)
