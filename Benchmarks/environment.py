"""An environment of its own for each script with peers from PyPI, made on its first run."""
import os, subprocess, sys, venv


def continue_in(folder, packages):
    """Goes on in the environment of `folder` that has the packages: the script starts again there, once."""
    environment = os.path.join(folder, 'venv')
    python = os.path.join(environment, 'bin', 'python')
    if os.path.abspath(sys.prefix) == os.path.abspath(environment):
        return
    if not os.path.exists(python):
        venv.create(environment, with_pip=True)
        subprocess.check_call([python, '-m', 'pip', 'install', '--quiet', *packages])
    os.execv(python, [python, *sys.argv])
