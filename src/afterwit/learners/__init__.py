"""What learners of the core share, whatever they are."""

from afterwit.learners.native import Native as Native
