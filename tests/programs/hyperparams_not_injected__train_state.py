# expects: hyperparams-not-injected at 13
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class Training:
    def __init__(self, net, x):
        weights = net.init(jax.random.key(0), x)["params"]
        tx = optax.sgd(learning_rate=optax.linear_schedule(0.1, 0.0, 10))
        self.state = train_state.TrainState.create(apply_fn=net.apply, params=weights, tx=tx)

    def rate(self):
        return float(self.state.opt_state.hyperparams["learning_rate"])


print(Training(nn.Dense(1), jnp.ones((2, 3))).rate())
