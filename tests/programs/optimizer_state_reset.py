# expects: optimizer-state-reset at 15
import jax
import jax.numpy as jnp


@jax.jit
def step(w, memory, x):
    grad = jax.grad(lambda w: jnp.sum((w * x - 1.0) ** 2))(w)
    memory = 0.9 * memory + 0.1 * grad**2
    return w - 0.1 * grad / (jnp.sqrt(memory) + 1e-6), memory


w = jnp.array([0.5, 2.0])
for x in (1.0, 2.0, 3.0):
    memory = jnp.zeros_like(w)
    w, memory = step(w, memory, x)
