# expects: crashed|raised: memory
# It keeps arrays of NumPy until there is no memory.
# or: timed_out: still running after
import numpy as np

kept = []
while True:
    kept.append(np.zeros(10**7))
