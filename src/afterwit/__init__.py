"""Online learning in one pass."""
