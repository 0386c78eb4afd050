# expects: assigned-to-frozen-object at 13
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    w: jax.Array
    b: jax.Array

    def __call__(self, x):
        self.b = self.b + 1
        return x @ self.w + self.b


net = Net(jnp.ones((2, 2)), jnp.zeros(2))
print(eqx.filter_jit(net)(jnp.ones(2)))
