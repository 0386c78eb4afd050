# expects: wrong-arity at 19
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training import train_state


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(8)(x)
        return nn.BatchNorm(use_running_average=not train)(x)


model = CNN()
variables = model.init(jax.random.key(0), jnp.ones((1, 4)), train=False)
state = train_state.TrainState.create(
    apply_fn=model.apply,
    params=variables["params"],
    batch_stats=variables["batch_stats"],
    tx=optax.sgd(0.1),
)
print(state.step)
