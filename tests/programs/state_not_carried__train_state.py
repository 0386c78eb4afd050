# expects: state-not-carried at 32
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
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=not train, momentum=0.8)(nn.Dense(6)(x))
        return nn.Dense(1)(nn.relu(x))[:, 0]


@jax.jit
def step(state, x, y):
    def loss(params):
        predicted, changes = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats},
            x,
            train=True,
            mutable=["batch_stats"],
        )
        return jnp.mean((predicted - y) ** 2), changes

    (value, changes), slopes = jax.value_and_grad(loss, has_aux=True)(state.params)
    state = state.apply_gradients(grads=slopes)
    return state, value


x = 2.0 + jax.random.normal(jax.random.key(0), (24, 3))
net = Net()
first = net.init(jax.random.key(1), x, train=False)
state = State.create(
    apply_fn=net.apply,
    params=first["params"],
    batch_stats=first["batch_stats"],
    tx=optax.sgd(0.05),
)
for _ in range(5):
    state, value = step(state, x, x[:, 0])
print(value, state.batch_stats["BatchNorm_0"]["mean"])
