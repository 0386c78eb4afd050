# expects: old-state-used at 19
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Block(eqx.Module):
    norm: eqx.nn.BatchNorm
    spectral: eqx.nn.SpectralNorm

    def __init__(self, key):
        layer_key, key = jax.random.split(key)
        self.norm = eqx.nn.BatchNorm(4, "batch", mode="ema")
        layer = eqx.nn.Linear(4, 4, key=layer_key)
        self.spectral = eqx.nn.SpectralNorm(layer, "weight", key=key)

    def __call__(self, x, state):
        x, _ = self.norm(x, state)
        return self.spectral(x, state)


block, state = eqx.nn.make_with_state(Block)(jax.random.key(0))
run = jax.vmap(block, in_axes=(0, None), out_axes=(0, None), axis_name="batch")
print(run(jnp.ones((5, 4)), state)[0].shape)
