#!/usr/bin/env python3
"""usage: linked.py JSBRIDGE LINK SCRIPT

Debugs a script that is started by a link to its file, with a breakpoint in the file itself, and ends the program by a
signal while it is paused there. Prints the pause and the end.
"""

import signal
import sys

import dap

tool, link, script = sys.argv[1:]
program = dap.Program(tool, "--inspect-brk=0", link)
client = dap.Client(program.port)
client.attach(program.token)
client.body("setBreakpoints", source={"path": script}, breakpoints=[{"line": 2}])
client.body("configurationDone")
for _ in range(2):
    reason, thread, frames = client.stopped()
    print(reason, frames[0])
    if reason == "entry":
        client.body("continue", threadId=thread)
assert [source.get("path") for source in client.body("loadedSources")["sources"]] == [script]
program.process.send_signal(signal.SIGTERM)
client.event("terminated")
status, output, errors = program.end()
print("status", status)
print(output, end="")
