# expects: nothing
import itertools

import jax
import jax.numpy as jnp

rows = jax.random.normal(jax.random.key(0), (8, 3))


def load(size):
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def fit(w, batches):
    for x in batches:
        w = w + 0.1 * x.mean(0)
    return w


w = jnp.zeros(3)
for _ in range(3):
    batches = load(4)  # a new one in each epoch
    for x in batches:
        w = fit(w, [x])

once = load(2)
for _ in range(2):  # two batches in each round
    for x in itertools.islice(once, 2):
        w = w + x.mean(0)

stream = load(1)
for limit in (2.0, 3.0):  # goes on where it stopped
    for x in stream:
        w = w + x[0]
        if jnp.abs(w).max() > limit:
            break

first = zip(rows, rows)
for epoch in range(2):
    if epoch == 0:
        for x, y in first:
            w = w + x * y

kept = list(zip(rows, rows))
for _ in range(2):
    for x, y in kept:
        w = w - x * y

pairs = map(jnp.sum, rows)
w = w + sum(pairs) if w.sum() > 0 else w - max(pairs)
print(w)
