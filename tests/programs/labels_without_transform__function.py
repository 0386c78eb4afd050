# expects: labels-without-transform at 13
# needs: optax
import jax
import jax.numpy as jnp
import optax


def label(params):
    return jax.tree.map_with_path(lambda path, _: "bias" if path[-1] == "b" else "kernel", params)


params = {"dense": {"w": jnp.ones((3, 3)), "b": jnp.zeros(3)}}
tx = optax.multi_transform({"weights": optax.adamw(1e-3), "bias": optax.adam(1e-3)}, label)
state = tx.init(params)
grads = jax.tree.map(jnp.ones_like, params)
updates, state = tx.update(grads, state, params)
print(updates)
