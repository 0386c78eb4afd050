# expects: nothing
import jax
import jax.numpy as jnp


def distance(a, b):
    lat_a, lon_a = jnp.deg2rad(a[0]), jnp.deg2rad(a[1])
    lat_b, lon_b = jnp.deg2rad(b[0]), jnp.deg2rad(b[1])
    high = jnp.sin((lat_b - lat_a) / 2) ** 2
    wide = jnp.cos(lat_a) * jnp.cos(lat_b) * jnp.sin((lon_b - lon_a) / 2) ** 2
    return 2 * 6371.0 * jnp.arcsin(jnp.sqrt(high + wide))


def note(log, a, b):
    """Write down a distance, which a compiled function could not do."""
    lat_a, lon_a = jnp.deg2rad(a[0]), jnp.deg2rad(a[1])
    lat_b, lon_b = jnp.deg2rad(b[0]), jnp.deg2rad(b[1])
    high = jnp.sin((lat_b - lat_a) / 2) ** 2
    wide = jnp.cos(lat_a) * jnp.cos(lat_b) * jnp.sin((lon_b - lon_a) / 2) ** 2
    log.append(float(2 * 6371.0 * jnp.arcsin(jnp.sqrt(high + wide))))


places = jax.random.uniform(jax.random.key(0), (12, 2), minval=-80.0, maxval=80.0)
print(jax.jit(jax.vmap(jax.vmap(distance, (None, 0)), (0, None)))(places, places).shape)
for _ in range(3):
    print(distance(places[0], places[1]) > 0)
log = []
for n in range(120):
    note(log, places[n % 12], places[n // 12])
print(len(log))
