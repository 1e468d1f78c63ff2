// The module `bridge:test`. Loaded at the first import of it in a context.
import { expect } from "./expect.js";
import { awaitTest, endTest, planTests, runTest, settleTimers } from "./running.js";
import { members } from "./suites.js";
import { freezeWhole } from "../engine/freezing.js";
import { publishToHost } from "../engine/publish.js";

const testModule = freezeWhole({ __proto__: null, ...members, expect });

publishToHost({ __proto__: null, testModule: () => testModule, planTests, runTest, awaitTest, endTest, settleTimers });
