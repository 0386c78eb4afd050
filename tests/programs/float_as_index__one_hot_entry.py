# expects: float-as-index at 12
# needs: optax
import jax
import jax.numpy as jnp
import optax

batch = {"x": jnp.ones((6, 4)), "target": jax.nn.one_hot(jnp.arange(6) % 3, 3)}


def loss(weights, batch):
    logits = batch["x"] @ weights
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["target"]).mean()


print(jax.grad(loss)(jnp.ones((4, 3)), batch).shape)
