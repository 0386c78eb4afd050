# expects: failed: is not defined
# Is a property outside of a class.


@property
def safe_clip_positive(x):
    return x
