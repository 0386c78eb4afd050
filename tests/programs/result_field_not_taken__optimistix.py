# expects: result-field-not-taken at 10
# needs: optimistix
import jax.numpy as jnp
import optimistix as optx


def equation(x, args):
    return jnp.cos(x) - x

root = optx.root_find(equation, optx.Newton(rtol=1e-5, atol=1e-5), jnp.array(0.5))
print(2 * root)
