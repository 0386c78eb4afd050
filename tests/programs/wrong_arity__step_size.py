# expects: wrong-arity at 12
# needs: optax
import jax.numpy as jnp
import optax

online = {"w": jnp.ones(3)}
target = {"w": jnp.zeros(3)}


def soft_update(new, old, tau):
    tau = float(tau)
    return optax.incremental_update(new, old, tau=tau)


print(soft_update(online, target, 0.1)["w"])
