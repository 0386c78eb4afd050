# expects: incompatible-devices at 12
import jax
import jax.numpy as jnp


@jax.jit
def predict(w, x):
    return x @ w


weights = jax.device_put(jnp.ones((3, 2)), jax.devices()[0])
print(predict(weights, jax.device_put(jnp.ones((5, 3)), jax.devices()[1])))
