# expects: leaked-by-attribute at 8
import jax
import jax.numpy as jnp


class Net:
    def forward(self, x):
        self.last = jnp.tanh(x)
        return self.last * 2


net = Net()
jax.jit(net.forward)(1.0)
