# expects: lifted-transform-without-size at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Step(nn.Module):
    @nn.compact
    def __call__(self, x, _):
        return x + nn.Dense(x.shape[-1])(nn.tanh(x)), x.mean()


class Flow(nn.Module):
    depth: int = 6

    @nn.compact
    def __call__(self, x):
        stack = nn.scan(Step, variable_axes={"params": 0}, split_rngs={"params": True})
        return stack()(x, None)


print(Flow().init_with_output(jax.random.key(0), jnp.ones((2, 4)))[0][1].shape)
