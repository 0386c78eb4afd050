# expects: average-weights-swapped at 23
import jax
import jax.numpy as jnp

TAU = 0.995


def loss(params, target, x):
    wanted = jax.lax.stop_gradient(jnp.tanh(x @ target["w"])) * 0.9 + x[:, 0]
    return jnp.mean((jnp.tanh(x @ params["w"]) - wanted) ** 2)


@jax.jit
def learn(params, target, x):
    grads = jax.grad(loss)(params, target, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


online = {"w": jnp.full(3, 0.1)}
target_net = online
for seed in range(4):
    online = learn(online, target_net, jax.random.normal(jax.random.key(seed), (8, 3)))
    target_net = jax.tree.map(lambda new, old: new * TAU + old * (1 - TAU), online, target_net)
print(target_net)
