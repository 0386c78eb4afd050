# expects: carry-parts-swapped at 12
import jax
import jax.numpy as jnp


def power(matrix, rounds):
    def body(i, state):
        vector, value = state
        image = matrix @ vector
        value = jnp.linalg.norm(image)
        vector = image / value
        return value, vector

    return jax.lax.fori_loop(0, rounds, body, (jnp.ones(2), 0.0))


print(power(jnp.array([[2.0, 1.0], [1.0, 3.0]]), 5))
