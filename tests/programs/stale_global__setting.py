# expects: stale-global at 10
import jax
import jax.numpy as jnp

config = {"scale": 1.0, "name": "first"}


@jax.jit
def predict(x):
    return x * config["scale"]


print(predict(jnp.ones(2)))
config["scale"] = 10.0
print(predict(jnp.ones(2)))
