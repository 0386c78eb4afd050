# expects: wrong-arity at 6
import jax
import jax.numpy as jnp


def filtered(state, reading, gain):
    """Update a state with one reading."""
    state = state + gain * (reading - state)
    return state, state


readings, gains = jnp.arange(4.0), jnp.full(4, 0.5)
print(jax.lax.scan(filtered, jnp.array(0.0), (readings, gains)))
