# expects: value-never-read at 22
import jax
import jax.numpy as jnp

count, size = 6, 4


def error(w, rows):
    x, y = rows
    return jnp.mean((x @ w - y) ** 2)


def visit(w, rows):
    value, slope = jax.value_and_grad(error)(w, rows)
    return w - 0.1 * slope, value


@jax.jit
def epoch(state, key):
    w, rows = state
    order = jax.random.permutation(key, count * size)
    mixed = jax.tree.map(lambda leaf: jnp.take(leaf, order, axis=0), rows)
    parts = jax.tree.map(lambda leaf: leaf.reshape(count, size, *leaf.shape[1:]), rows)
    w, values = jax.lax.scan(visit, w, parts)
    return (w, rows), values.mean()


x = jax.random.normal(jax.random.key(0), (count * size, 2))
rows = x, x @ jnp.array([1.0, -2.0])
(w, _), values = jax.lax.scan(epoch, (jnp.zeros(2), rows), jax.random.split(jax.random.key(1), 5))
print(w, values)
