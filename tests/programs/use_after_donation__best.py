# expects: use-after-donation at 24
# needs: flax
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp

net = nn.Dense(1)


@partial(jax.jit, donate_argnames="weights")
def step(weights, x):
    loss, slopes = jax.value_and_grad(lambda w: (net.apply(w, x) ** 2).mean())(weights)
    return jax.tree.map(lambda w, s: w - 0.1 * s, weights, slopes), loss


x = jnp.ones((4, 3))
weights, lowest = net.init(jax.random.key(0), x), jnp.inf
for _ in range(3):
    weights, loss = step(weights, x)
    if loss < lowest:
        lowest = loss
        kept = weights
weights, loss = step(weights, x)
print(net.apply(kept, x).mean())
