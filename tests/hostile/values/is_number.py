# expects: failed: not there
# Is a number.


safe_clip_positive = 42
