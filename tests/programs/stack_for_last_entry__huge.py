# expects: stack-for-last-entry at 9
import jax
import jax.numpy as jnp


@jax.jit
def settle(field, rate):
    def step(field, _):
        return field + rate * (jnp.roll(field, 1) - field), field

    _, history = jax.lax.scan(step, field, None, length=2000)
    return history[-1]


print(settle(jnp.zeros(3000).at[10].set(1.0), 0.1).max())
