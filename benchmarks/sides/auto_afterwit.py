"""Learns a file in one pass by the default learner and prints the report."""

import sys

import afterwit as aw

print(aw.learn(aw.Auto("binary"), aw.read(sys.argv[1])))
