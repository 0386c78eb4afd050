# expects: stale-global at 11
import jax
import jax.numpy as jnp


params = {"slope": jnp.array(0.0)}


@jax.jit
def predict(x):
    return params["slope"] * x


before = predict(2.0)
for _ in range(3):
    params = jax.tree.map(lambda p: p + 0.5, params)
after = predict(2.0)
