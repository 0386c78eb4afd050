# expects: pytree-structure-mismatch at 17
import jax
import jax.numpy as jnp


def layer(key, n_in, n_out, use_bias=True):
    bias = jnp.zeros(n_out) if use_bias else None
    return {"kernel": jax.random.normal(key, (n_in, n_out)), "bias": bias}


def start_of(params):
    sizes = [p["kernel"].shape for p in params]
    return [{"kernel": jnp.zeros(s), "bias": jnp.zeros(s[1])} for s in sizes]


def averaged(average, params):
    return jax.tree.map(lambda a, p: 0.9 * a + 0.1 * p, average, params)


k1, k2 = jax.random.split(jax.random.key(0))
params = [layer(k1, 4, 8), layer(k2, 8, 1, use_bias=False)]
print(averaged(start_of(params), params)[0]["bias"])
