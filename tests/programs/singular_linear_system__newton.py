# expects: singular-linear-system at 16
# needs: optimistix
import jax
import jax.numpy as jnp
import optimistix


def gaps(levels, targets):
    first, second = levels - targets
    return jnp.stack([first**2, second**3])


@jax.jit
def settle(start, targets):
    solver = optimistix.Newton(rtol=1e-4, atol=1e-4)
    found = optimistix.root_find(gaps, solver, start, args=targets, max_steps=80)
    return found.value


print(settle(jnp.array([1.5, 3.0]), jnp.array([1.0, 3.0])))
