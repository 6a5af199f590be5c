"""Every figure that the docs state is printed by a module here: ``python -m bench.NAME``."""
