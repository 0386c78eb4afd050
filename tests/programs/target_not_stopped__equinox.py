# expects: target-not-stopped at 14
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


@eqx.filter_jit
@eqx.filter_grad
def gradient(model, batch):
    values = jax.vmap(model)(batch["state"])
    chosen = values[jnp.arange(len(values)), batch["action"]]
    target = batch["reward"] + 0.9 * (1 - batch["done"]) * jax.vmap(model)(batch["after"]).max(-1)
    return optax.huber_loss(chosen, target).mean()


model = eqx.nn.MLP(2, 3, 8, 1, key=jax.random.key(0))
state = jnp.ones((4, 2))
batch = {"state": state, "after": -state, "action": jnp.arange(4) % 3}
batch |= {"reward": jnp.ones(4), "done": jnp.zeros(4)}
print(gradient(model, batch).layers[0].bias.shape)
