"""The command line: short commands over what the layers below offer."""
