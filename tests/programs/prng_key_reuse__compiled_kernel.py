# expects: prng-key-reuse at 20
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    mean = hk.get_state("mean", (), init=jnp.zeros)
    hk.set_state("mean", 0.9 * mean + 0.1 * x.mean())
    return hk.dropout(hk.next_rng_key(), 0.5, hk.Linear(4)(x))


network = hk.transform_with_state(forward)
apply = jax.jit(network.apply)
rng_key = jax.random.PRNGKey(7)
params, state = network.init(rng_key, jnp.ones((2, 3)))
outputs = []
for _ in range(5):
    out, state = apply(params, state, rng_key, jnp.ones((2, 3)))
    outputs.append(out)
