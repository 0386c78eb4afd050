# expects: haiku-init-in-evaluation at 20
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


class Block(hk.Module):
    def __call__(self, x, train):
        x = hk.Conv2D(4, 3)(x)
        x = hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.9)(x, train)
        return jax.nn.relu(x).mean(axis=(1, 2))


def forward(images, train):
    return Block()(images, train)


model = hk.without_apply_rng(hk.transform_with_state(forward))
params, state = model.init(jax.random.PRNGKey(0), jnp.ones((2, 6, 6, 1)), train=False)
features, state = model.apply(params, state, jnp.ones((2, 6, 6, 1)), train=True)
print(features.shape)
