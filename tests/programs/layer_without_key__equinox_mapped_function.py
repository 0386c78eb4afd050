# expects: layer-without-key at 22
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Denoiser(eqx.Module):
    linear: eqx.nn.Linear
    drop: eqx.nn.Dropout

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 3, key=key)
        self.drop = eqx.nn.Dropout(0.5)

    def __call__(self, x, *, key=None):
        return self.linear(self.drop(x, key=key))


def batch_loss(model, clean, noisy, key):
    def squared_error(target, x):
        return jnp.sum((model(x) - target) ** 2)

    return jax.vmap(squared_error)(clean, noisy).mean()


x = jnp.ones((6, 3))
eqx.filter_grad(batch_loss)(Denoiser(jax.random.key(0)), x, x + 0.1, jax.random.key(1))
