"""Learns the objects of a file one by one, as Python parses them."""

import json
import sys

import afterwit as aw


def learn(path: str) -> None:
    """All of the file."""
    model = aw.linear.AdaGrad(normalized=True)
    with open(path, "rb") as file:
        for line in file:
            row = json.loads(line)
            model.learn_one(row, row.pop("_label"))


learn(sys.argv[1])
