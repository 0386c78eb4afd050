# expects: key-read-as-attribute at 7
import jax
import jax.numpy as jnp


def loss(params, batch):
    predicted = batch.inputs @ params["w"]
    return jnp.mean((predicted - batch["targets"]) ** 2)


batch = {"inputs": jnp.ones((5, 2)), "targets": jnp.zeros(5)}
print(jax.jit(jax.grad(loss))({"w": jnp.ones(2)}, batch))
