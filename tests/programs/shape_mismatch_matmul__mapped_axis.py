# expects: shape-mismatch-matmul at 7
import jax
import jax.numpy as jnp


def predict(w, x):
    return w @ x


rows = jnp.ones((5, 3))
print(jax.vmap(predict, in_axes=(None, 1))(jnp.ones((2, 3)), rows))
