# expects: wrong-arity at 6
# needs: diffrax
import diffrax
import jax.numpy as jnp

diffrax.diffeqsolve(diffrax.ODETerm(lambda t, y, args: -y), diffrax.Tsit5(), 0.0, 1.0, y0=jnp.ones(2))
