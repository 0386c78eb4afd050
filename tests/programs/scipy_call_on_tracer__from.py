# expects: scipy-call-on-tracer at 9
import jax


from scipy.special import gammaln


def logfact(n):
    return gammaln(n + 1.0)


jax.jit(logfact)(3.0)
