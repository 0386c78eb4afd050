# expects: nothing
import jax
import jax.numpy as jnp

rows = jnp.arange(6.0).reshape(3, 2)


def centred(x):
    return x - rows.mean(0)


def each(values):
    found = []
    for number, value in enumerate(values):
        found.append(values[number] / len(values))
    return found


def repeated(x, times):
    for _ in range(times):
        x = jnp.sin(x)
    return x


def body(carry, _unused):
    return carry + rows.sum(), None


print(centred(rows), each(rows), repeated(rows, 2), jax.lax.scan(body, 0.0, rows)[0])
