# expects: loop-counter-as-state at 16
import jax
import jax.numpy as jnp


def loss(x):
    return jnp.sum((x - 1) ** 2)


def descend(x0, steps):
    """Return x0 after some steps of gradient descent."""

    def step(x, _):
        return x - 0.1 * jax.grad(loss)(x), None

    x, _ = jax.lax.scan(step, jnp.arange(steps), x0)
    return x


descend(jnp.zeros(3), 5)
