# expects: solver-out-of-steps at 12
# needs: optimistix
import jax.numpy as jnp
import optimistix


def pressure_gap(volume, args):
    return volume**2 + 1.0


solver = optimistix.Newton(rtol=1e-6, atol=1e-6)
found = optimistix.root_find(pressure_gap, solver, jnp.array(2.0), max_steps=64)
print(found.value)
