# expects: layer-without-key at 15
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    x = hk.Linear(4)(x)
    return hk.dropout(hk.next_rng_key(), 0.5, x)


model = hk.transform(forward)
params = model.init(jax.random.PRNGKey(0), jnp.ones((2, 3)))
print(jax.jit(model.apply)(params, None, jnp.ones((2, 3))))
