# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 2)
mesh = jax.sharding.Mesh(jax.devices(), ("model",))
specs = {"scale": P(), "kernel": P(None, "model")}


def clipped_step(params, grads):
    kernel = jax.lax.psum(jnp.sum(grads["kernel"] ** 2), "model")
    norm = jnp.sqrt(kernel + jnp.sum(grads["scale"] ** 2))
    rate = 0.1 / jnp.maximum(norm, 1.0)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


step = jax.jit(
    jax.shard_map(
        clipped_step, mesh=mesh, in_specs=(specs, specs), out_specs=specs, check_vma=False
    )
)
rng = np.random.default_rng(0)
params = {"scale": np.ones(4, np.float32), "kernel": rng.normal(size=(4, 6)).astype(np.float32)}
params = {n: jax.device_put(v, NamedSharding(mesh, specs[n])) for n, v in params.items()}
for _ in range(3):
    grads = jax.grad(lambda p: jnp.sum((p["scale"] @ p["kernel"]) ** 2))(params)
    params = step(params, grads)
print(params["scale"])
