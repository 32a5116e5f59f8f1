"""The native core of afterwit."""
