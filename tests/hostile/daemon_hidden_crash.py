# expects: crashed: exit status 5
# It leaves a daemon with an empty environment, and ends its own process.
import os
import subprocess

subprocess.run(["sh", "-c", "setsid env -i sleep 1000 >/dev/null 2>&1 &"], check=True)
os._exit(5)
