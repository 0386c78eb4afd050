# expects: step-with-wrong-sign at 20
# needs: optax
import jax
import jax.numpy as jnp
import optax

tx = optax.sgd(0.1)


def loss_fn(params, x):
    return jnp.sum((params["w"] - x) ** 2)


@jax.jit
def step(params, opt_state, x):
    loss, grads = jax.value_and_grad(loss_fn)(params, x)
    updates, opt_state = tx.update(grads, opt_state)
    del updates
    # The gradient points up the loss.
    return optax.apply_updates(params, grads), opt_state, loss


params = {"w": jnp.zeros(2)}
opt_state = tx.init(params)
for n in range(2):
    params, opt_state, loss = step(params, opt_state, jnp.ones(2))
print(loss)
