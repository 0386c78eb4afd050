# expects: failed: is not defined
# Is text.


safe_clip_positive = 'x'
