# expects: removed-api at 5
import jax


from jax.experimental.maps import xmap
