// The data API of scripts.
import { publishToHost } from "../engine/publish.js";
import "./stores.js";
import { bindMethod, dataSource, dataSourceNames } from "./sources.js";
import "./host_sources.js";

publishToHost({ __proto__: null, dataSource, bindMethod, dataSourceNames });
