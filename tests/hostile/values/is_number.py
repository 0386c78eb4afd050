# expects: failed: is not defined
# Is a number.


safe_clip_positive = 42
