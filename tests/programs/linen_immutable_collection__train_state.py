# expects: linen-immutable-collection at 28
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Block(nn.Module):
    training: bool

    def setup(self):
        self.dense = nn.Dense(8)
        self.norm = nn.BatchNorm(use_running_average=not self.training)

    def __call__(self, x):
        return self.norm(self.dense(x)).sum(-1)


class TS(TrainState):
    batch_stats: dict


@jax.jit
def train(state, x):
    def loss(p):
        y = state.apply_fn({"params": p, "batch_stats": state.batch_stats}, x)
        return (y**2).mean()

    return jax.grad(loss)(state.params)


block = Block(training=True)
v = block.init(jax.random.key(0), jnp.ones((2, 3)))
s = TS.create(apply_fn=block.apply, params=v["params"], batch_stats=v["batch_stats"], tx=optax.sgd(0.1))
print(train(s, jnp.ones((4, 3))))
