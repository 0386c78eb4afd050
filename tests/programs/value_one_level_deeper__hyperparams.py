# expects: value-one-level-deeper at 15
# needs: optax
import jax.numpy as jnp
import optax


class Schedule:
    def __init__(self, params):
        self.tx = optax.chain(
            optax.clip(1.0), optax.inject_hyperparams(optax.adam)(learning_rate=0.1)
        )
        self.state = self.tx.init(params)

    def rate(self):
        return self.state.hyperparams["learning_rate"]


print(Schedule({"w": jnp.ones(3)}).rate())
