# expects: probabilities-as-logits at 9
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(w, x, is_spam):
    chances = jax.nn.sigmoid(x @ w)
    return optax.losses.sigmoid_binary_cross_entropy(chances, is_spam).mean()


print(jax.grad(loss)(jnp.zeros(2), jnp.ones((3, 2)), jnp.ones(3)))
