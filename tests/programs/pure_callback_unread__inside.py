# expects: pure-callback-unread at 12
import jax
import jax.numpy as jnp


def report(v):
    print("energy", v)
    return v


def energy(x):
    shown = jax.pure_callback(report, jax.ShapeDtypeStruct((), jnp.float32), jnp.sum(x**2))
    return jnp.sum(x**2), shown


@jax.jit
def descend(x):
    total, shown = energy(x)
    return x - 0.1 * jax.grad(lambda x: jnp.sum(x**2))(x), total


x = jnp.ones(3)
for _ in range(3):
    x, total = descend(x)
print(total)
