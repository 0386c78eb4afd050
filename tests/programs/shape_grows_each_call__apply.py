# expects: shape-grows-each-call at 25
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class TinyLM(nn.Module):
    vocab: int = 32

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocab, 16)(tokens)
        return nn.Dense(self.vocab)(x)


model = TinyLM()
tokens = jnp.array([[1, 2, 3]])
params = model.init(jax.random.key(0), tokens)
forward = jax.jit(model.apply)


def generate(tokens, n):
    for _ in range(n):
        logits = forward(params, tokens)
        nxt = jnp.argmax(logits[:, -1], axis=-1)[:, None]
        tokens = jnp.concatenate([tokens, nxt], axis=1)
    return tokens


print(generate(tokens, 6))
