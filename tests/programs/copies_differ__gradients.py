# expects: copies-differ at 20
# needs: optax
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 4)
mesh = jax.sharding.Mesh(jax.devices(), ("batch",))
optimizer = optax.adam(1e-2)


def loss_of(params, x, y):
    h = jnp.tanh(x @ params["up"])
    return jnp.mean((h @ params["down"] - y) ** 2)


def step(params, state, x, y):
    loss, grads = jax.value_and_grad(loss_of)(params, x, y)
    loss = jax.lax.pmean(loss, "batch")
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


specs = (P(), P(), P("batch"), P("batch"))
train = jax.jit(
    jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=(P(), P(), P()), check_vma=False)
)
rng = np.random.default_rng(0)
x = rng.normal(size=(64, 8)).astype(np.float32)
y = np.sin(x[:, :2])
params = {"up": jnp.full((8, 16), 0.1), "down": jnp.full((16, 2), 0.1)}
state = optimizer.init(params)
for _ in range(5):
    params, state, loss = train(params, state, x, y)
print(f"{loss:.3f}")
