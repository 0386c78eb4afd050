# expects: scan-over-python-list at 14
import jax
import jax.numpy as jnp

masses = [1.0, 2.0, 4.0]
springs = [(jnp.full(2, m), jnp.arange(2.0) * m) for m in masses]


def push(position, spring):
    mass, force = spring
    return position + force / mass, None


final, _ = jax.lax.scan(push, jnp.zeros(2), springs)
print(final)
