# expects: failed: is not defined
# Is nothing.


safe_clip_positive = None
