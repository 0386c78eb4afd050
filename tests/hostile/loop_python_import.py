# expects: timed_out: still running after
# It loops for ever while it is imported.
while True:
    pass
