#!/usr/bin/env python3
"""usage: restart.py JSBRIDGE SCRIPT

Debugs a script from its entry to a breakpoint, starts it again twice, the second time out of an endless loop, and lets
it end. Prints each pause.
"""

import sys

import dap

tool, script = sys.argv[1:]
program = dap.Program(tool, "--inspect-brk=0", script)
client = dap.Client(program.port)
capabilities = client.attach(program.token)
assert capabilities["supportsRestartRequest"] is True
client.body("setBreakpoints", source={"path": script}, breakpoints=[{"line": 2}])
client.body("configurationDone")


def show(count):
    thread = None
    for _ in range(count):
        reason, thread, frames = client.stopped()
        print(reason, frames[0], flush=True)
        if _ + 1 < count:
            client.body("continue", threadId=thread)
    return thread


thread = show(2)
sources = client.body("loadedSources")["sources"]
assert [source.get("path") for source in sources] == [script], sources
client.body("restart")
client.event("thread", lambda body: body["reason"] == "exited" and body["threadId"] == thread)
thread = show(2)
frame = client.body("stackTrace", threadId=thread)["stackFrames"][0]["id"]
client.body("evaluate", expression="ends = false", frameId=frame)
client.body("continue", threadId=thread)
client.event("output", lambda body: body["output"] == "loop\n")
client.body("restart")
thread = show(2)
client.body("continue", threadId=thread)
print("exit", client.event("exited")["exitCode"])
client.event("terminated")
status, output, errors = program.end()
print("status", status)
print(output, end="")
