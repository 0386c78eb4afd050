# expects: class-for-object at 14
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


class Encoder(hk.Module):
    def __call__(self, x, is_training):
        x = hk.BatchNorm(True, True, 0.9)(hk.Linear(4)(x), is_training)
        return hk.Linear(2)(jax.nn.relu(x))


encoder = hk.transform_with_state(Encoder)
images = jnp.ones((2, 8))
params, state = encoder.init(jax.random.key(0), images, True)
print(encoder.apply(params, state, None, images, True)[0].shape)
