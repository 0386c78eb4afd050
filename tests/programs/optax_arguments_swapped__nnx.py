# expects: optax-arguments-swapped at 18
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx

net = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
opt = nnx.Optimizer(net, optax.sgd(0.1), wrt=nnx.Param)


@nnx.jit
def improve(net, opt, x, y):
    def loss_fn(net):
        return jnp.mean((net(x) - y) ** 2)

    grad_fn = nnx.value_and_grad(loss_fn)
    loss, grads = grad_fn(net)
    opt.update(grads, net)
    return loss


x = jnp.ones((4, 3))
for _ in range(3):
    loss = improve(net, opt, x, x.sum(axis=1, keepdims=True))
print(loss)
