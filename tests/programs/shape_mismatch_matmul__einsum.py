# expects: shape-mismatch-matmul at 14
import jax
import jax.numpy as jnp


class Router:
    def __init__(self, key, experts, width):
        self.weights = jax.random.normal(key, (experts, width, 4))

    def __call__(self, tokens):
        weights = self.weights
        gates = jax.nn.softmax(tokens @ weights.mean(-1).T)
        mixed = jnp.einsum("td,edh->eth", tokens, weights)
        return jnp.einsum("et,eth->th", gates, mixed)


print(Router(jax.random.key(0), 3, 8)(jnp.ones((5, 8))).shape)
