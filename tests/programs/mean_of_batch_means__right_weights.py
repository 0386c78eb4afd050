# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def loss(w, x):
    return jnp.mean((w * x - 1.0) ** 2)


@jax.jit
def loss_sum(w, x):
    return jnp.sum((w * x - 1.0) ** 2)


@jax.jit
def train(w, x):
    value, slope = jax.value_and_grad(lambda w: jnp.mean((w * x - 1.0) ** 2))(w)
    return w - 0.1 * slope, value


x = jnp.linspace(0.0, 1.0, 22)
parts = [x[i : i + 8] for i in range(0, 22, 8)]
weighted = np.average([loss(0.5, part) for part in parts], weights=[len(p) for p in parts])

total = 0.0
for part in parts:
    total += loss(0.5, part) * len(part)
print(weighted, total / len(x), sum(loss_sum(0.5, part) for part in parts) / len(x))

# How well each batch fits, one by one.
for n, part in enumerate(parts):
    print(n, loss(0.6, part))

# Batches of one size: the rest is left out.
whole = [loss(0.7, x[i : i + 8]) for i in range(0, 16, 8)]
print(np.mean(whole))

# The losses of a training are of other parameters each; their mean shows how it goes.
w, losses = 0.5, []
for part in parts:
    w, value = train(w, part)
    losses.append(value)
print(np.mean(losses))
