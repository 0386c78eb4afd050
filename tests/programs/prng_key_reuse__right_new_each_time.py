# expects: nothing
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


@jax.jit
def train_step(state, x):
    # The key is the same each time, and the count of the steps makes another one of it.
    key = jax.random.fold_in(state["key"], state["count"])
    noise = jax.lax.cond(x[0] > 0, jax.random.normal, jax.random.uniform, key)
    return {**state, "w": state["w"] + noise * x, "count": state["count"] + 1}


@jax.jit
def walk(key, start):
    keys = jax.random.split(key, 3)

    def move(place, n):
        return place + jax.random.normal(jax.random.fold_in(keys[0], n)), None

    place, _ = jax.lax.scan(move, start, jnp.arange(5))
    return jax.vmap(jax.random.normal)(keys[1:]) + place


class Net(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(2, 8, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)

    def __call__(self, x):
        return self.drop(self.linear(x))


@nnx.jit
def predict(net, x):
    return net(x)


state = {"w": jnp.ones(3), "key": jax.random.key(0), "count": 0}
for n in range(4):
    state = train_step(state, jnp.full(3, float(n)))
net = Net(nnx.Rngs(0))
draws = jnp.stack([predict(net, jnp.ones((3, 2))) for _ in range(4)])
print(state["w"].shape, walk(jax.random.key(1), 0.0).shape, draws.std(0).max() > 0)
