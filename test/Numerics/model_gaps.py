"""Architectures that do not run yet, (way, name) -> reason. One that runs fails its test until it leaves this list."""

GAPS = {}
