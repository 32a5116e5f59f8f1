"""Learns a file, so many times over, as one stream through a pipe: FILE LEARNER TIMES.

A line on standard input says how far; it answers with the rows learned and the CPU seconds taken.
"""

import subprocess
import sys
import time

import afterwit as aw
from afterwit.learning import Lesson

LEARNERS = {"adagrad": lambda: aw.linear.AdaGrad(normalized=True), "auto": lambda: aw.Auto("binary")}
path, learner, times = sys.argv[1:]
with subprocess.Popen(["cat", *[path] * int(times)], stdout=subprocess.PIPE) as source:
    stream = aw.read(f"/dev/fd/{source.stdout.fileno()}", format="svmlight")
    lesson = Lesson(LEARNERS[learner](), stream)
    steps = lesson.steps()
    for wanted in sys.stdin:
        while lesson.rows < int(wanted):
            next(steps)
        print(lesson.rows, time.process_time(), flush=True)
    source.kill()
