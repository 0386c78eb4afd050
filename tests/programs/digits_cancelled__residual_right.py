# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def solve(a, b):
    x = jnp.linalg.solve(a, b)
    return x, jnp.linalg.norm(a @ x - b)


matrix = jax.random.normal(jax.random.key(0), (8, 8)) + 8 * jnp.eye(8)
solution, left = solve(matrix, jnp.arange(8.0))
print(solution, left < 1e-4)
