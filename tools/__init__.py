"""Programs of this project that no user runs: set-up, generated files."""
