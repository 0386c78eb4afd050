# expects: labels-are-inputs at 23
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Model(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(8, 4, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(2, 4, decode=False, rngs=rngs)
        self.head = nnx.Linear(4, 8, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        x = x + self.attention(x, mask=nnx.make_causal_mask(tokens))
        return self.head(x)


def loss_fn(model, batch):
    logits = model(batch["tokens"])
    return optax.softmax_cross_entropy_with_integer_labels(
        logits, batch["tokens"]
    ).mean()


model = Model(nnx.Rngs(0))
batch = {"tokens": jnp.arange(12).reshape(2, 6) % 8}
print(nnx.value_and_grad(loss_fn)(model, batch)[0])
