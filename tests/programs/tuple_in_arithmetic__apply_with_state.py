# expects: tuple-in-arithmetic at 21
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def network(x):
    calls = hk.get_state("calls", (), jnp.int32, init=jnp.zeros)
    hk.set_state("calls", calls + 1)
    return hk.Linear(2)(x)


model = hk.transform_with_state(network)
x, target = jnp.ones((5, 3)), jnp.zeros((5, 2))
params, state = model.init(jax.random.PRNGKey(0), x)


@jax.jit
def error(params, state):
    output = model.apply(params, state, None, x)
    return jnp.abs(output - target).mean()


print(error(params, state))
