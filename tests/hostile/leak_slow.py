# expects: timed_out|crashed|raised: 
# It leaks slowly, near what it may have.
import time

import numpy as np

kept = [np.ones(90 * 10**6)]
while True:
    kept.append(np.ones(10**5))
    time.sleep(0.02)
