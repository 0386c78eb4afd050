# expects: linen-module-in-jax-transform at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Recurrent(nn.Module):
    @nn.compact
    def __call__(self, xs):
        cell = nn.GRUCell(features=6)
        carry = cell.initialize_carry(jax.random.key(0), xs.shape[1:])

        def step(carry, x):
            return cell(carry, x)

        return jax.lax.scan(step, carry, xs)[1]


net = Recurrent()
variables = net.init(jax.random.key(1), jnp.ones((5, 3)))
net.apply(variables, jnp.ones((5, 3)))
