# expects: annotation-shape-not-text at 9
# needs: jaxtyping
import jax
import jax.numpy as jnp
from jaxtyping import Float, Int


def one_hot_loss(
    logits: Float[jax.Array, "batch, classes"],
    labels: Int[jax.Array, "batch"],
) -> Float[jax.Array, ""]:
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
    return -chosen.mean()


print(one_hot_loss(jnp.eye(3), jnp.arange(3)))
