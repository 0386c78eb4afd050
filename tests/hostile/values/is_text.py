# expects: failed: not there
# Is text.


safe_clip_positive = 'x'
