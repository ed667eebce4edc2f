"""`python -m silo_decl` is `silo`."""

from silo_decl.cli.app import main

main()
