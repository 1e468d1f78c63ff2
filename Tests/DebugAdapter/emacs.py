#!/usr/bin/env python3
"""usage: emacs.py JSBRIDGE

Debugs a script with dap-mode in Emacs, without a window. It needs the packages emacs-nox and elpa-dap-mode.
"""

import os
import subprocess
import sys
import tempfile

import dap

with tempfile.TemporaryDirectory() as folder:
    script = os.path.join(folder, "main.js")
    with open(script, "w") as file:
        file.write("let a = 1;\na += 1;\nconsole.log(a);\n")
    program = dap.Program(sys.argv[1], "--inspect-brk=0", script)
    variables = {"PORT": str(program.port), "TOKEN": program.token, "SCRIPT": script, "FOLDER": folder, "HOME": folder}
    steps = os.path.join(os.path.dirname(os.path.abspath(__file__)), "emacs.el")
    try:
        emacs = subprocess.run(["emacs", "--batch", "-l", steps], env={**os.environ, **variables}, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        status, output, errors = program.end()
    finally:
        program.process.kill()
    expected = "global code:1\nglobal code:2\n"
    if (emacs.stdout, status, output) != (expected, 0, "2\n"):
        sys.exit(f"{emacs.stdout}\n{emacs.stderr}\n{output}\n{errors}\nstatus {status}")
    print("Emacs has stopped at the entry and at the breakpoint, and the script has ended")
