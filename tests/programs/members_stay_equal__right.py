# expects: nothing
import jax
import jax.numpy as jnp


def error(w, x, y):
    return jnp.mean((jnp.tanh(x @ w) - y) ** 2)


@jax.jit
def on_own_rows(ws, xs, ys):
    return ws - 0.1 * jax.vmap(jax.grad(error))(ws, xs, ys)


@jax.jit
def at_own_rate(ws, rates, x, y):
    slopes = jax.vmap(jax.grad(error), in_axes=(0, None, None))(ws, x, y)
    return ws - rates[:, None] * slopes


@jax.jit
def together(ws, x, y):
    return ws - 0.1 * jax.vmap(jax.grad(error), in_axes=(0, None, None))(ws, x, y)


x = jax.random.normal(jax.random.key(0), (12, 3))
y = jnp.sin(x[:, 0])
w = jax.random.normal(jax.random.key(1), (3,))
apart = tied = jnp.stack([w] * 4)
free = jax.random.normal(jax.random.key(2), (4, 3))
plain = jnp.ones((4, 3))
for _ in range(7):
    apart = on_own_rows(apart, x.reshape(4, 3, 3), y.reshape(4, 3))
    tied = at_own_rate(tied, jnp.array([0.01, 0.1, 0.2, 0.3]), x, y)
    free = together(free, x, y)
same = jnp.tile(x[:1], (4, 1))
print(apart, tied, free, plain, jax.vmap(jax.grad(error), in_axes=(0, None, None))(plain, same, y[:4]))
