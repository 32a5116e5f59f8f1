"""How fast afterwit is, against its peers on the same rows; `python -m benchmarks` prints the table."""
