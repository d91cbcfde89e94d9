"""What a node tells its operators in numbers: `/metrics` in Prometheus' text format, on an address of its own."""
