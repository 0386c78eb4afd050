# expects: scan-carry-shape-change at 8
import jax
import jax.numpy as jnp


class Acc:
    def step(self, hist, x):
        hist = jnp.append(hist, x)
        return hist, None


jax.lax.scan(Acc().step, jnp.array([0.0]), jnp.ones(3))
