# expects: failed: not there
# Is nothing.


safe_clip_positive = None
