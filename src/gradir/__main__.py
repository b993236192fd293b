"""`python -m gradir`."""

from gradir.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
