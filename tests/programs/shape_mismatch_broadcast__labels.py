# expects: shape-mismatch-broadcast at 10
# needs: optax
import jax
import jax.numpy as jnp
import optax


@jax.jit
def loss(w, x, classes):
    return optax.softmax_cross_entropy(x @ w, classes).mean()


loss(jnp.ones((4, 3)), jnp.ones((5, 4)), jnp.arange(5) % 3)
