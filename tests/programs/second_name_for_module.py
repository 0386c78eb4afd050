# expects: second-name-for-module at 8
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx

critic = nnx.Linear(3, 1, rngs=nnx.Rngs(0))
slow_critic = critic
optimizer = nnx.Optimizer(critic, optax.sgd(0.1), wrt=nnx.Param)


@nnx.jit
def learn(critic, slow_critic, optimizer, x):
    goal = 1.0 + 0.9 * slow_critic(x)

    def loss(critic):
        return jnp.mean((critic(x) - goal) ** 2)

    optimizer.update(critic, nnx.grad(loss)(critic))


for _ in range(3):
    learn(critic, slow_critic, optimizer, jnp.ones((4, 3)))
print(critic.kernel[...].shape)
