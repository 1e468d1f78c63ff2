internal import BridgeCommands

ProcessSignals.reserveStandardDescriptors()
let cleanUps = CleanUps()
ProcessSignals.watch(cleanUps)
let command = JSBridgeCommand(system: .process(cleanUps: cleanUps))
ProcessSignals.exit(await command.run(utf8: ProcessArguments.bytes))
