"""`python -m afterwit` is the command `afterwit`."""

import sys

from afterwit.cli import main

sys.exit(main())
