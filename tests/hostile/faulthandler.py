# expects: crashed: exit status 1
# The interpreter's own watchdog ends it.
import faulthandler
import time

faulthandler.enable()
faulthandler.dump_traceback_later(1, exit=True)
time.sleep(1000)
