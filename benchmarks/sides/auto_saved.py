"""Learns a file, saves the model and loads it; prints the size in kB and the CPU milliseconds of loading: FILE."""

import os
import sys
import tempfile
from time import process_time

import afterwit as aw

model = aw.Auto("binary")
aw.learn(model, aw.read(sys.argv[1]))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.afterwit")
    aw.save(model, path)
    start = process_time()
    aw.load(path)
    print(os.path.getsize(path) / 1e3, 1e3 * (process_time() - start))
