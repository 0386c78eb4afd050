# expects: timed_out|crashed|raised: 
# Asks for endless recursion, and recurses.
import sys

sys.setrecursionlimit(2**31 - 1)


def safe_clip_positive(x):
    return safe_clip_positive(x + 1)
