# expects: scan-over-python-list at 12
import jax
import jax.numpy as jnp


def layer(h, w):
    return h * w.sum(), h


def f(h):
    weights = [jnp.ones((2, 3)), jnp.ones((4, 5))]
    out, _ = jax.lax.scan(layer, h, weights)
    return out


f(1.0)
