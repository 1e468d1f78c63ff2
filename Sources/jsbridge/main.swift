internal import BridgeCommands

ProcessSignals.reserveStandardDescriptors()
TerminalGuardianCommand.runIfSelected(ProcessArguments.bytes)
let exitHooks = ExitHooks(endsProcess: true)
ProcessSignals.watch(exitHooks)
let command = JSBridgeCommand(system: .process(exitHooks: exitHooks))
ProcessSignals.exit(await command.run(utf8: ProcessArguments.bytes))
