# expects: leaked-by-attribute at 12
import jax
import jax.numpy as jnp
import numpy as np


class Net:
    def __init__(self):
        self.acts = {}

    def forward(self, x):
        self.acts["h"] = jnp.maximum(x, 0)
        return x


n = Net()
jax.jit(n.forward)(jnp.ones(2))
print(np.asarray(n.acts["h"]))
