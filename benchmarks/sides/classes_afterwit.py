"""Learns a file of classes 1, ..., CLASSES in one pass and prints the report: FILE CLASSES."""

import sys

import afterwit as aw

classes = range(1, int(sys.argv[2]) + 1)
print(aw.learn(aw.linear.OneVsAll(aw.linear.AdaGrad(normalized=True), classes), aw.read(sys.argv[1])))
