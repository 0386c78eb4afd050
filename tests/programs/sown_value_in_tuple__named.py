# expects: sown-value-in-tuple at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(4)(x)
        self.sow("intermediates", "h", h)
        return h.sum()


def penalty(net, variables, x):
    y, kept = net.apply(variables, x, mutable=["intermediates"])
    layers = kept["intermediates"]
    hidden = layers["h"]
    return y + jnp.abs(hidden).mean()


net, x = Net(), jnp.ones((2, 3))
weights = net.init(jax.random.key(0), x)["params"]
print(penalty(net, {"params": weights}, x))
