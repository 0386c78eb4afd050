# expects: target-not-stopped at 15
import jax
import jax.numpy as jnp


def q_values(params, state):
    return jnp.tanh(state @ params["w1"]) @ params["w2"]


@jax.jit
@jax.value_and_grad
def loss(params, state, action, reward, after):
    value = q_values(params, state)
    chosen = jnp.take_along_axis(value, action[:, None], axis=1)[:, 0]
    best = jnp.max(q_values(params, after), axis=1)
    target = reward + 0.9 * best
    return jnp.mean((chosen - target) ** 2)


params = {"w1": jnp.ones((2, 4)), "w2": jnp.ones((4, 2))}
state = jnp.ones((3, 2))
print(loss(params, state, jnp.array([0, 1, 0]), jnp.ones(3), 2 * state)[0])
