# expects: vector-field-for-term at 17
# needs: diffrax equinox
import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp


class Field(eqx.Module):
    net: eqx.nn.MLP

    def __call__(self, t, y, args):
        return self.net(y)


field = Field(eqx.nn.MLP(2, 2, 8, 1, key=jax.random.key(0)))
result = diffrax.diffeqsolve(field, diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.1, y0=jnp.ones(2))
print(result.ys.shape)
