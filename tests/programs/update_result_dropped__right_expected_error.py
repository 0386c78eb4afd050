# expects: nothing
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import serialization


class Clock:
    def __init__(self):
        self.ticks = jnp.zeros(())


serialization.register_serialization_state(
    Clock, lambda clock: {"ticks": clock.ticks}, lambda clock, state: clock
)
variables = {"encoder": jnp.zeros(3)}
try:
    serialization.from_state_dict(variables, {"other": jnp.ones(3)})
except ValueError as error:
    print("not restored:", error)
print(optax.global_norm(variables))
