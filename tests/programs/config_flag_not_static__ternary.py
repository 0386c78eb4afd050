# expects: config-flag-not-static at 8
import jax
import jax.numpy as jnp


class Net:
    def apply(self, x, deterministic):
        y = x if deterministic else x * 2
        return y


net = Net()
jax.jit(net.apply)(jnp.ones(2), False)
