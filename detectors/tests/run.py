#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [NAME...]: runs the tests, or those of these modules."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

if len(sys.argv) > 1:
    tests = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
else:
    tests = unittest.defaultTestLoader.discover(HERE)
sys.exit(not unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful())
