# expects: nothing
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 4)
mesh = jax.sharding.Mesh(jax.devices(), ("walkers",))


def estimate(key, steps):
    key = jax.random.fold_in(key, jax.lax.axis_index("walkers"))
    inside = jnp.mean(jnp.sum(jax.random.uniform(key, (64, 2)) ** 2, axis=1) < 1.0)
    everywhere = jax.lax.all_gather(inside, "walkers")
    return 4.0 * everywhere.mean(), steps + inside


specs = {"in_specs": (P(), P("walkers")), "out_specs": (P(), P("walkers"))}
run = jax.jit(jax.shard_map(estimate, mesh=mesh, check_vma=False, **specs))
pi, own = run(jax.random.key(0), jnp.zeros(4))
print(f"{pi:.2f}", own.shape)
