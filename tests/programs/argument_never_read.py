# expects: argument-never-read at 32
import jax
import jax.numpy as jnp

layout = ((2, 16), (16, 3))


def build(key, sizes=layout):
    keys = jax.random.split(key, len(sizes))
    return [jax.random.normal(k, size) / size[0] ** 0.5 for k, size in zip(keys, sizes)]


def values(weights, observations):
    first, second = weights
    return jnp.tanh(observations @ first) @ second


def temporal_difference(weights, target, batch, discount=0.99):
    observations, actions, rewards, following = batch
    goal = rewards + discount * values(target, following).max(axis=-1)
    chosen = values(weights, observations)[jnp.arange(len(actions)), actions]
    return jnp.mean((chosen - jax.lax.stop_gradient(goal)) ** 2)


def batches(key, count):
    observations = jax.random.normal(key, (count, 8, 2))
    actions = jnp.zeros((count, 8), int)
    return observations, actions, observations[..., 0] > 0, jnp.roll(observations, 1, axis=1)


@jax.jit
def train(weights, data, discount, rate):
    def step(weights, batch):
        loss, slope = jax.value_and_grad(temporal_difference)(weights, weights, batch)
        return jax.tree.map(lambda w, g: w - rate * g, weights, slope), loss

    return jax.lax.scan(step, weights, data)


start, data = build(jax.random.key(0)), batches(jax.random.key(1), 20)
for discount in (0.5, 0.9):
    weights, losses = train(start, data, discount, rate=0.1)
    print(discount, losses[-1])
