# expects: timed-before-finished at 13
import time

from jax import jit, numpy

a = numpy.ones((1000000,)) * 3
b = numpy.ones((1000000,)) * 5
f = jit(numpy.multiply)

for _ in range(10):
    start = time.time()
    f(a, b)
    print(time.time() - start)
