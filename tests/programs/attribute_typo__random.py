# expects: attribute-typo at 5
import jax


k = jax.random.PRNGkey(0)
