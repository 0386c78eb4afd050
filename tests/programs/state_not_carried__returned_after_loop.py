# expects: state-not-carried at 18
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - 1.0) ** 2))(w)


def mixed(mean, w):
    return jax.tree.map(lambda m, v: 0.9 * m + 0.1 * v, mean, w)


def epoch(w, mean, rows):
    for x in rows:
        w = step(w, x)
        newer = mixed(mean, w)
    return w, newer


w, mean = jnp.zeros(2), jnp.zeros(2)
for key in jax.random.split(jax.random.key(0), 3):
    w, mean = epoch(w, mean, jax.random.normal(key, (6, 4, 2)))
print(w, mean)
