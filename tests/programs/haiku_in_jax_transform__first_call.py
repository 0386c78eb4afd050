# expects: haiku-in-jax-transform at 17
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def policy(observations):
    torso = hk.nets.MLP([8], name="torso")
    core = hk.GRU(8)

    def step(state, obs):
        out, state = core(torso(obs), state)
        return state, out

    initial = core.initial_state(None)
    return jax.lax.scan(step, initial, observations)[1]


net = hk.without_apply_rng(hk.transform(policy))
params = net.init(jax.random.key(0), jnp.ones((5, 3)))
print(jax.jit(lambda p: net.apply(p, jnp.ones((5, 3))).sum())(params))
