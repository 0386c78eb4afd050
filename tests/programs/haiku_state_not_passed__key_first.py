# expects: haiku-state-not-passed at 19
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def count_calls(x):
    calls = hk.get_state("calls", [], init=jnp.zeros)
    hk.set_state("calls", calls + 1)
    return hk.Linear(1)(x) + 0.1 * jax.random.normal(hk.next_rng_key(), ())


net = hk.transform_with_state(count_calls)
x = jnp.ones((3, 2))
params, state = net.init(jax.random.key(0), x)
key = jax.random.key(1)
for _ in range(2):
    out, state = net.apply(params, key, state, x)
print(state)
