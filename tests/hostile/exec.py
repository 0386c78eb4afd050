# expects: crashed: its process ended
# It turns into another program.
# in diagnose: crashed: ended
import os

os.execvp("sleep", ["sleep", "1000"])
