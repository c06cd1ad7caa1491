# SPDX-License-Identifier: Apache-2.0
"""A separate environment for each script with peers from PyPI, made on the script's first run."""
import os, subprocess, sys, venv


def continue_in(folder, packages):
    """Restarts the script once in the environment of `folder`, which has the packages."""
    environment = os.path.join(folder, 'venv')
    python = os.path.join(environment, 'bin', 'python')
    if os.path.abspath(sys.prefix) == os.path.abspath(environment):
        return
    if not os.path.exists(python):
        venv.create(environment, with_pip=True)
        subprocess.check_call([python, '-m', 'pip', 'install', '--quiet', *packages])
    os.execv(python, [python, *sys.argv])
