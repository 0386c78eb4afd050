# expects: layer-without-key at 18
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    drop: eqx.nn.Dropout

    def __init__(self):
        self.drop = eqx.nn.Dropout(0.5)

    def __call__(self, x, key=None):
        return self.drop(x, key=key)


out = jax.vmap(Net())(jnp.ones((5, 3)))
