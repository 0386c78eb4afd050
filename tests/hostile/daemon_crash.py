# expects: crashed: exit status 5
# It leaves a daemon, and ends its own process.
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
os.wait()
os._exit(5)
