# expects: nothing
import time

import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w - 1.0) ** 2))(w)


def error(w, x):
    return jnp.mean((x @ w - 1.0) ** 2)


def mixed(mean, w):
    return 0.9 * mean + 0.1 * w


def timed(w, rows):
    for x in rows:
        began = time.perf_counter()
        newer = jax.block_until_ready(step(w, x))
        print("step", time.perf_counter() - began > 0)
    w = newer
    return w


def warm(w, x):
    for _ in range(3):
        out = step(w, x)
    w = out
    return w


def searched(w, rows):
    for x in rows:
        candidate = step(w, x)
        if error(candidate, x) < 0.5:
            break
    w = candidate
    return w


def averaged(w, mean, rows):
    for number, x in enumerate(rows):
        w = step(w, x)
        newer = mixed(mean, w)
        if number % 2:
            mean = newer
    return w, newer


def fitted(w, rows):
    for x in rows:
        w = step(w, x)
        last = error(w, x)
    return w, last


def shown(w, rows):
    for x in rows:
        guess = step(w, x)
        print(guess.shape)
    w = guess
    return w


rows = jax.random.normal(jax.random.key(0), (4, 8, 2))
w = jnp.zeros(2)
print(timed(w, rows), warm(w, rows[0]), searched(w, rows), averaged(w, w, rows))
print(fitted(w, rows), shown(w, rows))
