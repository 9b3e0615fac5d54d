"""Runs scripts, each in a fork of this process, which has imported the large modules.

A line of standard input is "import MODULE" or "run FOLDER"; the folder contains the words of the
script (its path and arguments), and the files that become its standard input, output and error.
The answer is MODULE or FOLDER and a number, which is 0 for success. Scripts run at the same time.
"""

import importlib
import os
import runpy
import signal
import sys
import traceback
import warnings

MAX_SECONDS = 300


def attempt(action):
    try:
        action()
        return 0
    except BaseException:
        traceback.print_exc()
        return 1


def run(folder):
    for number, name in enumerate(("in", "out", "err")):
        os.dup2(os.open(folder + "/" + name, os.O_RDWR), number)
    with open(folder + "/words", encoding="utf-8") as words:
        sys.argv = words.read().split("\0")
    sys.path[0] = os.path.dirname(sys.argv[0])
    warnings.simplefilter("error")
    signal.alarm(MAX_SECONDS)
    code = attempt(lambda: runpy.run_path(sys.argv[0], run_name="__main__"))
    os._exit(code or attempt(sys.stdout.flush))


def answer(name, code):
    os.write(answers, f"{name} {code}\n".encode())


# a script has its own, and what an import prints is no answer
requests, answers = os.dup(0), os.dup(1)
os.dup2(2, 1)
# so that the forks that wait for scripts need not be waited for
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in os.fdopen(requests, encoding="utf-8"):
    verb, name = line.rstrip("\n").split(" ", 1)
    if verb == "import":
        answer(name, attempt(lambda: importlib.import_module(name)))
    elif os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        script = os.fork()
        if script == 0:
            run(name)
        answer(name, os.waitpid(script, 0)[1])
        os._exit(0)
