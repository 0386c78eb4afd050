# expects: unpack-count-mismatch at 8
import jax
import jax.numpy as jnp


def init(key, sizes):
    n_in, n_hidden, n_out = sizes
    w_key, b_key, out_key = jax.random.split(key)
    hidden = jax.random.normal(w_key, (n_in, n_hidden)), jax.random.normal(b_key, (n_hidden,))
    return hidden, jax.random.normal(out_key, (n_hidden, n_out))


hidden, out = init(jax.random.key(0), (2, 4, 1))
print(out.shape, jnp.sum(out))
