# expects: mean-over-padding at 13
import jax
import jax.numpy as jnp

PAD_ID = 0


def loss_fn(table, tokens):
    log_probs = jax.nn.log_softmax(table[tokens[:, :-1]])
    losses = -jnp.take_along_axis(log_probs, tokens[:, 1:, None], axis=-1)[..., 0]
    # The next token is to be predicted, but no padding.
    kept = (tokens[:, 1:] != PAD_ID).astype(jnp.float32)
    mean = (losses * kept).mean()
    return mean, losses


table = jnp.zeros((6, 6))
tokens = jnp.array([[1, 2, 3, 0, 0], [1, 4, 0, 0, 0]])
print(jax.value_and_grad(loss_fn, has_aux=True)(table, tokens)[0][0])
