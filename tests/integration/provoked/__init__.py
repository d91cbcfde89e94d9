"""One scenario for each code that a node refuses with, told through a bare socket."""
