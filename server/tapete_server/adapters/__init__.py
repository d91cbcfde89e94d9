"""See server/README.md."""
