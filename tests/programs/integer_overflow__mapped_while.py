# expects: integer-overflow at 13
import jax
import jax.numpy as jnp


@jax.jit
@jax.vmap
def factorial(n):
    """Return the product of the numbers from 1 to n."""

    def multiply(state):
        count, product = state
        return count + 1, product * count

    return jax.lax.while_loop(lambda state: state[0] <= n, multiply, (1, 1))[1]


print(factorial(jnp.array([5, 9, 14])))
