# expects: called-outside-jit at 22
import jax
import jax.numpy as jnp


def distance(a, b):
    """Return the great-circle distance of two places in degrees, in kilometres."""
    lat_a, lon_a = jnp.deg2rad(a[0]), jnp.deg2rad(a[1])
    lat_b, lon_b = jnp.deg2rad(b[0]), jnp.deg2rad(b[1])
    high = jnp.sin((lat_b - lat_a) / 2) ** 2
    wide = jnp.cos(lat_a) * jnp.cos(lat_b) * jnp.sin((lon_b - lon_a) / 2) ** 2
    return 2 * 6371.0 * jnp.arcsin(jnp.sqrt(high + wide))


def table_of(places):
    """Return all distances of some places."""
    rows = []
    for a in places:
        row = []
        for b in places:
            row.append(
                distance(a, b)
            )
        rows.append(jnp.stack(row))
    return jnp.stack(rows)


places = jax.random.uniform(jax.random.key(0), (12, 2), minval=-80.0, maxval=80.0)
print(table_of(places).shape)
