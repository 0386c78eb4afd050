# expects: linen-shape-changed at 24
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def encode(pictures):
    flat = hk.Flatten()(pictures)
    return hk.Linear(4)(jax.nn.relu(flat))


class Probe:
    def __init__(self):
        self.encoder = hk.without_apply_rng(hk.transform(encode))

    def scores(self, params, pictures):
        return self.encoder.apply(params, pictures)


def main():
    probe, pictures = Probe(), jnp.ones((5, 6, 6))
    picture = pictures[0]
    params = probe.encoder.init(jax.random.key(0), picture)
    print(probe.scores(params, pictures).shape)


main()
