# expects: export-needs-jit at 5
import jax.numpy as jnp
from jax import export

e = export.export(lambda x: 2 * x)(jnp.ones(3))
