"""How well afterwit predicts in one pass, against its peers; `python -m benchmarks.accuracy` prints the tables."""
