# expects: linen-params-not-wrapped at 22
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class State(train_state.TrainState):
    batch_stats: dict


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.BatchNorm(use_running_average=True)(nn.Dense(4)(x))
        return nn.Dense(1)(x)


def predict(state, x):
    return state.apply_fn({"params": state.params, "batch_stats": state.batch_stats}, x)


net, x, tx = Net(), jnp.ones((2, 3)), optax.adam(1e-3)
made = net.init(jax.random.key(0), x)
state = State(0, net.apply, made["params"], tx, made["batch_stats"], tx.init(made["params"]))
print(predict(state, x).shape)
