# expects: crashed|raised|failed: 
# It forgets every module there is.
# in diagnose: clean|raised|crashed: 
import sys

sys.modules.clear()


def safe_clip_positive(x):
    return x
