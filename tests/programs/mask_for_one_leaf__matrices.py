# expects: mask-for-one-leaf at 24
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.LayerNorm()(nn.Dense(8)(x))
        return nn.Dense(1)(nn.relu(x))


def matrices(leaf):
    return leaf.ndim > 1


def main():
    model = Net()
    x = jnp.ones((4, 3))
    params = model.init(jax.random.key(0), x)["params"]
    tx = optax.adamw(1e-3, weight_decay=0.01, mask=matrices)
    state = tx.init(params)
    grads = jax.grad(lambda p: model.apply({"params": p}, x).sum())(params)
    updates, state = tx.update(grads, state, params)
    params = optax.apply_updates(params, updates)
    print(len(jax.tree.leaves(params)))


main()
