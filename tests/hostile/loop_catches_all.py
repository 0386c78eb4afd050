# expects: timed_out: still running after
# It catches whatever would end its loop.
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
