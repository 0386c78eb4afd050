# expects: shape-grows-each-call at 17
import jax
import jax.numpy as jnp

LENGTHS = [9, 4, 17, 12, 5, 21, 8, 30, 14, 6, 25, 11, 19, 7, 28, 10]


@jax.jit
def score(weights, word):
    return jnp.tanh(weights[word]).sum()


weights = jnp.linspace(0.0, 1.0, 50)
scores = []
for n in LENGTHS:
    word = jnp.arange(n) % 50
    scores.append(score(weights, word))
print(jnp.stack(scores).mean())
