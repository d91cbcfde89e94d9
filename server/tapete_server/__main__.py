"""`python -m tapete_server` is `tapete`."""

import sys

from tapete_server.cli import main

sys.exit(main())
