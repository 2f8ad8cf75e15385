"""Runs a command and prints what it took: bounded.py SECONDS COMMAND... A process of its own, since what a process has in memory
when it starts another counts as the other's."""

import json
import os
import resource
import subprocess
import sys


def limit():
    seconds = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


with open("stdout", "wb") as out, open("stderr", "wb") as said:
    process = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=out, stderr=said, preexec_fn=limit)
    _, status, usage = os.wait4(process.pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "seconds": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss << 10}))
