# expects: wrong-arity at 9
# needs: optimistix
import jax.numpy as jnp
import optimistix

solver = optimistix.Newton(rtol=1e-5, atol=1e-5)
mean_anomaly = jnp.array(0.7)
root = optimistix.root_find(
    lambda e: e - 0.3 * jnp.sin(e) - mean_anomaly,
    solver,
    mean_anomaly,
)
print(root.value)
