// The functions that test262 expects of a host, and the result of one test as a line: null, or the problem.
globalThis.published = {
    isAsync: IS_ASYNC,
    error: ERROR_NAME,
    report(problem) { console.log("published-tests:" + JSON.stringify(problem === null ? null : String(problem))); },
    end() { if (!published.isAsync) published.report(null); },
    fail(error) {
        const name = error?.constructor?.name;
        published.report(published.error !== null && name === published.error ? null : `${name}: ${error?.message ?? error}`);
    },
    import(name, run) {
        run(name).then(() => {
            if (published.error !== null) published.report(`no ${published.error}`);
            else published.end();
        }, published.fail);
    },
    parse(text) {
        try {
            new Function(text);
            published.report(`no ${published.error}`);
        } catch (error) { published.fail(error); }
    },
};
globalThis.createIsHTMLDDA = () => ({});
globalThis.reportCompare = (first, second) => { if (!Object.is(first, second)) throw new Error("not the same"); };
globalThis.fnGlobalObject = () => globalThis;
globalThis.$DONE = (error) => { published.report(error === undefined ? null : `${error?.name ?? error}: ${error?.message}`); };
globalThis.$DONOTEVALUATE = () => { published.report("a module with a syntax error was evaluated"); };
globalThis.asyncTest = (test) => { test().then(() => $DONE(), $DONE); };
