"""Learns a file in one pass and prints the report."""

import sys

import afterwit as aw

print(aw.learn(aw.linear.AdaGrad(normalized=True), aw.read(sys.argv[1], cache=len(sys.argv) > 2)))
