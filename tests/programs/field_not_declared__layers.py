# expects: field-not-declared at 13
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Mixer(eqx.Module):
    """Mixes along one axis."""

    def __init__(self, sizes, *, key):
        keys = jax.random.split(key, len(sizes) - 1)
        self.layers = [
            eqx.nn.Linear(n_in, n_out, key=k)
            for n_in, n_out, k in zip(sizes[:-1], sizes[1:], keys, strict=True)
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = jax.nn.gelu(layer(x))
        return x


print(Mixer((4, 8, 4), key=jax.random.key(0))(jnp.ones(4)))
