# expects: nothing
import time

import jax
import jax.numpy as jnp


def step(x):
    return 0.5 * (x + 2.0 / x)


def measured(x):
    run = jax.jit(step)
    out = run(x)
    began = time.perf_counter()
    out = run(x).block_until_ready()
    return out, time.perf_counter() - began


def smallest(candidates):
    best = candidates[0]
    for x in candidates:
        nearer = step(x)
        if nearer < best:
            best = nearer
    return best


def guarded(x):
    result = step(x)
    try:
        result = result.reshape(2, 2)
    except TypeError:
        pass
    return result


def counted(xs):
    total = jnp.zeros(())

    def add(x):
        nonlocal total
        total = total + x

    for x in xs:
        add(x)
    return total


def until_small(x):
    for _ in range(10):
        before = x
        x = step(x)
        if abs(x - before) < 1e-6:
            break
    return x


print(measured(jnp.float32(1.0))[0], smallest(jnp.array([1.0, 4.0])), counted(jnp.ones(3)))
print(guarded(jnp.ones(4)), until_small(jnp.float32(3.0)))
