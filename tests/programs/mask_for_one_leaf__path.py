# expects: mask-for-one-leaf at 12
# needs: optax
import jax.numpy as jnp
import optax


def label(path, array):
    return "slow" if path[0].key == "encoder" else "fast"


params = {"encoder": {"w": jnp.ones((3, 2))}, "head": {"w": jnp.ones(2)}}
optimizer = optax.multi_transform({"slow": optax.sgd(1e-4), "fast": optax.sgd(1e-2)}, label)
state = optimizer.init(params)
print(len(state.inner_states))
