// Four packages as Debian ships them: three are ES modules, lodash is CommonJS.
import { parse } from "acorn";
import { walk } from "estree-walker";
import { descending, rollups, sum } from "d3-array";
import lodash, { padEnd } from "lodash";
import { registerHandler } from "bridge:core";

registerHandler("report", (source) => {
    const nodes = [];
    walk(parse(source, { ecmaVersion: 2022 }), { enter(node, parent) { nodes.push({ type: node.type, parent }); } });
    const counts = rollups(nodes, (group) => group.length, ({ type }) => type)
        .sort(([nameA, a], [nameB, b]) => descending(a, b) || (nameA < nameB ? -1 : 1));
    const lines = counts.slice(0, 6).map(([type, count]) =>
        `${padEnd(lodash.lowerCase(type), 20)} ${padEnd("#".repeat(count), 24)} ${count}`);
    return [`${sum(counts, ([, count]) => count)} nodes of ${counts.length} kinds`, ...lines].join("\n");
});
