# expects: array-as-condition at 12
import jax
import jax.numpy as jnp


def save(params):
    return {name: value.tolist() for name, value in params.items()}


params = {"w": jnp.ones((2, 3)), "b": jnp.zeros(3)}
restored = jax.tree.map(jnp.asarray, save(params), is_leaf=lambda x: isinstance(x, list))
if params != restored:
    raise SystemExit("the checkpoint is damaged")
