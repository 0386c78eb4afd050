# expects: failed: elements differ
# Is a function of Python's.


safe_clip_positive = abs
