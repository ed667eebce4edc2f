"""The suite behaves the same from a terminal and from the background, where shells make processes deaf to ctrl-C."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
