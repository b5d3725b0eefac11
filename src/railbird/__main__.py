"""`python -m railbird` is the command `railbird`."""

from railbird.cli import main

if __name__ == "__main__":
    main()
