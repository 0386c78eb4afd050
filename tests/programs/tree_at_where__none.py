# expects: tree-at-where at 15
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Scaler(eqx.Module):
    mean: jax.Array | None = None
    std: jax.Array | None = None


def fit(scaler, data):
    mean, std = data.mean(axis=0), data.std(axis=0)
    return eqx.tree_at(lambda s: (s.mean, s.std), scaler, (mean, std))


print(fit(Scaler(), jnp.arange(6.0).reshape(3, 2)).mean)
