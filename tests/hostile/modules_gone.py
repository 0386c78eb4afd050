# expects: crashed|raised: 
# It forgets every module there is.
import sys

sys.modules.clear()


def safe_clip_positive(x):
    return x
