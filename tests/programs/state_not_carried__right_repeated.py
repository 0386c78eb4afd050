# expects: nothing
import time

import jax
import jax.numpy as jnp


@jax.jit
def step(weights, averages, x):
    slope = jax.grad(lambda w: jnp.mean((x @ w - 1.0) ** 2))(weights)
    after = {name: 0.9 * value + 0.1 * slope for name, value in averages.items()}
    return weights - 0.1 * slope, after, x - (x @ weights)[:, None]


@jax.jit
def evaluate(weights, averages, total, x):
    after = {name: 0.9 * value + 0.1 * x.mean() for name, value in averages.items()}
    return after, total + jnp.mean(x @ weights)


x = jnp.cos(jnp.arange(6.0)).reshape(3, 2)
weights, averages = jnp.zeros(2), {"fast": jnp.zeros(2), "slow": jnp.zeros(2)}
for _ in range(5):
    started = time.perf_counter()
    jax.block_until_ready(step(weights, averages, x))
    print("step", time.perf_counter() - started > 0)
for _ in range(5):
    weights, averages, rest = step(weights, averages, x)
print(rest)
kept = []
for _ in range(5):
    weights, after, _ = step(weights, averages, x)
    kept.append(after)
total = jnp.array(0.0)
for _ in range(5):
    shown, total = evaluate(weights, averages, total, x)
print(kept[0], shown, total)
