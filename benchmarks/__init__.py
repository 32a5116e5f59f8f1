"""How fast and how well afterwit works, against its peers; `python -m benchmarks` prints the table of speed."""
