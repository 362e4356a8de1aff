"""python -m capeval_core"""

import sys

from capeval_core.cli import main

sys.exit(main())
