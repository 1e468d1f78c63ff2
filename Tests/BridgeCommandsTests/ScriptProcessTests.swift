import Foundation
import Testing

/// The module `bridge:process` in a process of its own.
@Suite struct ScriptProcessTests {
    private func run(
        _ script: String,
        _ options: [String] = [],
        _ arguments: [String] = [],
        shell: String = "\"$@\"",
        environment: [String: String] = [:]
    ) async throws -> RunningProcess.Ending {
        let workplace = try Workplace()
        let file = try workplace.write(script, to: "script.mjs")
        let command = [RunningProcess.built("jsbridge"), "run"] + options + [file, "--"] + arguments
        let process = try RunningProcess(
            "/bin/sh",
            ["-c", shell, "sh"] + command,
            in: workplace,
            environment: environment
        )
        return await process.end()
    }

    @Test("arguments, allowed variables and the exit status")
    func basics() async throws {
        let script = """
            import process, { argv, env, platform } from "bridge:process";
            console.log(JSON.stringify([argv, Object.keys(env), env.A, env.__proto__, platform, Reflect.set(env, "A", "2"), Object.isFrozen(argv)]));
            try { process.exitCode = 256; } catch (error) { console.log(error.code); }
            process.exitCode = 7;
            """
        let environment = ["A": "1", "B": "2", "__proto__": "x"]
        let some = try await run(
            script,
            ["--allow-env=A,__proto__,C"],
            ["-x", "y z"],
            environment: environment
        )
        #expect(
            some.output
                == "[[\"-x\",\"y z\"],[\"A\",\"__proto__\"],\"1\",\"x\",\"linux\",false,true]\ninvalidArgument\n"
        )
        #expect(some.status == 7, "\(some.errorOutput)")
        let none = try await run(script, environment: environment)
        #expect(none.output.hasPrefix("[[],[],null,null,"))
        let whole = try await run(
            "import { env } from 'bridge:process'; console.log(env.B)",
            ["--allow-env"],
            environment: environment
        )
        #expect(whole.output == "2\n")
        let exit = try await run(
            "import { exit } from 'bridge:process'; setInterval(() => {}, 1000); exit(3);"
        )
        #expect(exit.status == 3 && exit.errorOutput.isEmpty, "\(exit.errorOutput)")
        let main = try await run(
            "import process from 'bridge:process'; process.exitCode = 4; bridge.registerHandler('main', () => 5);"
        )
        #expect(main.status == 5)
    }

    @Test("bytes pass from input to output as they are, more than a pipe holds")
    func bytes() async throws {
        let copy = try await run(
            "import { stdin, stdout } from 'bridge:process'; for await (const chunk of stdin) await stdout.write(chunk);",
            shell:
                "head -c 5000000 /dev/urandom > \"$TMPDIR/in\"; \"$@\" < \"$TMPDIR/in\" | cmp - \"$TMPDIR/in\" && echo same; rm \"$TMPDIR/in\""
        )
        #expect(copy.output == "same\n", "\(copy.errorOutput)")
    }

    @Test("lines and parts of input; a loop that is left loses nothing")
    func lines() async throws {
        let script = """
            import { stdin, stderr } from "bridge:process";
            for await (const chunk of stdin) { await stderr.write(chunk.subarray(0, 1)); await stderr.write("\\n"); break; }
            const list = [];
            for await (const line of stdin.readLines()) list.push(line);
            console.log(list.join("|"));
            """
        // The rest is written when the first part has been read.
        let result = try await run(
            script,
            shell: """
                mkfifo "$TMPDIR/go"; { printf x; read first < "$TMPDIR/go"; printf 'one\\r\\ntwo'; } | "$@" 2> "$TMPDIR/go"
                """
        )
        #expect(result.output == "one|two\n", "\(result.output)\(result.errorOutput)")
    }

    @Test(
        "an input that is empty or closed ends",
        arguments: ["\"$@\" < /dev/null", "\"$@\" <&-", "true | \"$@\""]
    )
    func noInput(shell: String) async throws {
        let script =
            "import { stdin } from 'bridge:process'; for await (const part of stdin) console.log(part); console.log('end');"
        let result = try await run(script, shell: shell)
        #expect(result.output == "end\n" && result.status == 0, "\(result.errorOutput)")
    }

    @Test("a reader that goes away ends the process as SIGPIPE would")
    func closedOutput() async throws {
        let script = "import { stdout } from 'bridge:process'; for (;;) await stdout.write('line\\n');"
        let result = try await run(script, shell: "{ \"$@\"; echo $? >&2; } | head -n 2")
        #expect(result.output == "line\nline\n" && result.errorOutput == "141\n")
        let full = try await run(
            "import { stdout } from 'bridge:process'; await stdout.write('x');",
            shell: "\"$@\" > /dev/full; echo $?"
        )
        #expect(full.output == "74\n", "\(full.errorOutput)")
    }
}
