# expects: mesh-needs-more-devices at 4
import jax

mesh = jax.make_mesh((16,), ("d",))
