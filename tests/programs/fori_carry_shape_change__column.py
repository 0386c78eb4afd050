# expects: fori-carry-shape-change at 14
import jax
import jax.numpy as jnp


def settle(matrix, load):
    def is_moving(state):
        step, x, residual = state
        return (residual > 1e-4) & (step < 50)

    def move(state):
        step, x, _ = state
        x = x - 0.1 * (matrix @ x - load)
        residual = jnp.linalg.norm(matrix @ x - load, axis=0)
        return step + 1, x, residual

    return jax.lax.while_loop(is_moving, move, (0, jnp.zeros((2, 1)), jnp.inf))


print(settle(jnp.array([[2.0, 0.5], [0.5, 1.0]]), jnp.ones((2, 1))))
