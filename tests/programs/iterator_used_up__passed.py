# expects: iterator-used-up at 19
import jax
import jax.numpy as jnp


@jax.jit
def step(w, pair):
    x, y = pair
    return w - 0.1 * jax.grad(lambda v: jnp.mean((x @ v - y) ** 2))(w)


def fit(w, pairs):
    for pair in pairs:
        w = step(w, pair)
    return w


xs = jax.random.normal(jax.random.key(0), (4, 8, 3))
pairs = zip(xs, xs @ jnp.array([1.0, -2.0, 0.5]))
w = jnp.zeros(3)
for epoch in range(10):
    w = fit(w, pairs)
print(w)
