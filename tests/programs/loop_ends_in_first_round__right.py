# expects: nothing
import jax.numpy as jnp


def first_batch(rows, size):
    for start in range(0, len(rows), size):
        batch = rows[start : start + size]
        return batch - batch.mean()


def first_finite(values):
    tried = 0
    for value in values:
        tried += 1
        if not jnp.isfinite(value):
            continue
        return value, tried
    return None, tried


def solved(x):
    rounds = 0
    while True:
        rounds += 1
        x = 0.5 * (x + 2.0 / x)
        if abs(x * x - 2.0) < 1e-5:
            return x, rounds


def retried(read):
    tries = 0
    while tries < 3:
        tries += 1
        try:
            return read()
        except OSError:
            pass
    return None


def total(rows):
    found = jnp.float32(0.0)
    for row in rows:
        found += row
    return found


print(first_batch(jnp.arange(4.0), 2), first_finite(jnp.array([jnp.nan, 1.0])), solved(1.0))
print(retried(lambda: jnp.ones(2)), total(jnp.ones(3)))
