# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""``python -m volary run``: the command line of Volary."""

import sys

from . import _core


def main() -> int:
    """What the script ``volary`` of the package calls."""
    return _core.run_program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
