# expects: reshape-size-mismatch at 14
import jax
import jax.numpy as jnp

CONFIG = {"envs": 6, "steps": 10, "minibatches": 8}


def shuffled(key, rollout):
    size = CONFIG["envs"] * CONFIG["steps"]
    order = jax.random.permutation(key, size)
    flat = jax.tree.map(lambda x: x.reshape((size, *x.shape[2:]))[order], rollout)

    def split(x):
        return x.reshape(CONFIG["minibatches"], -1, *x.shape[1:])

    return jax.tree.map(split, flat)


rollout = {"reward": jnp.ones((10, 6)), "state": jnp.ones((10, 6, 3))}
print(jax.jit(shuffled)(jax.random.key(0), rollout)["reward"].shape)
