"""`python -m jaxdyn`: the command line."""

from .cli import main

raise SystemExit(main())
