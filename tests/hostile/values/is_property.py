# expects: failed: not there
# Is a property outside of a class.


@property
def safe_clip_positive(x):
    return x
