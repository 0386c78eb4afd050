# expects: key-misspelt at 9
import jax
import jax.numpy as jnp


@jax.jit
def loss(params, batch):
    predicted = batch["inputs"] @ params["w"]
    return jnp.mean((predicted - batch["tragets"]) ** 2)


batch = {"inputs": jnp.ones((4, 2)), "targets": jnp.zeros(4), "weights": jnp.ones(4)}
print(loss({"w": jnp.ones(2)}, batch))
