# expects: result-not-unpacked at 20
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def network(frames):
    core = jax.nn.relu(hk.Linear(8)(frames))
    advantage = hk.Linear(3)(core)
    baseline = hk.Linear(1)(core)
    return advantage, baseline.squeeze(-1)


class Learner:
    def __init__(self):
        self.network = hk.without_apply_rng(hk.transform(network))

    def act(self, params, frames):
        advantage = self.network.apply(params, frames)
        return advantage.argmax(axis=-1)


learner, frames = Learner(), jnp.ones((2, 5))
print(learner.act(learner.network.init(jax.random.key(0), frames), frames))
