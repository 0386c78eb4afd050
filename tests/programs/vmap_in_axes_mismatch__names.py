# expects: vmap-in-axes-mismatch at 10
import jax
import jax.numpy as jnp


def dose(weight, factor):
    return weight * factor["per_kilo"]


doses = jax.vmap(dose, in_axes={"factor": None, "weight": 0})
print(doses(jnp.arange(3.0), {"per_kilo": 2.0}))
