# expects: distribution-parameter-invalid at 7
# needs: numpyro
import jax.numpy as jnp
import numpyro.distributions as dist

levels = jnp.log(jnp.array([1.0, -1.0]))
dist.Normal(levels, 1.0)
