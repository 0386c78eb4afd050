# expects: mask-for-one-leaf at 14
# needs: optax
import jax.numpy as jnp
import optax


def group(path, leaf):
    return "frozen" if path[0].key == "encoder" else "trained"


def make():
    transforms = {"frozen": optax.set_to_zero(), "trained": optax.sgd(0.1)}
    labels = group
    return optax.multi_transform(transforms, labels)


params = {"encoder": {"w": jnp.ones((3, 2))}, "head": {"w": jnp.ones(2)}}
optimizer = make()
state = optimizer.init(params)
updates, _ = optimizer.update(params, state, params)
print(updates["head"]["w"].shape)
