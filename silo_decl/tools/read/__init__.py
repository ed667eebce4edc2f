"""The kinds of tool that only look: each module builds one kind."""
