# expects: removed-api at 4
import jax
import jax.numpy as jnp
from jax.experimental import optimizers, pjit
from jax.experimental.stax import Dense, serial

init_network, predict = serial(Dense(1))
_, weights = init_network(jax.random.key(0), (-1, 2))
init, update, read = optimizers.sgd(0.1)
print(read(init(weights)), pjit, jnp.ones(1))
