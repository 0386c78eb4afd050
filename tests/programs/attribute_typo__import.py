# expects: attribute-typo at 5
import jax


from jax.numpy import arrange
