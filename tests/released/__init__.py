"""What released versions have written, kept for ever: today's code has to load all of it and go on from there.

`python -m tests.released` records the present version of pyproject.toml into a folder of its own, and never touches
another one. A version that nobody runs yet may be recorded anew: remove its folder first.
"""
