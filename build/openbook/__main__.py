"""``python -m openbook``."""

from openbook.cli import main

if __name__ == "__main__":
    main()
