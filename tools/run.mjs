// `node tools/run.mjs <name> [arguments]`: runs one of the tools from dist/tools, after installing and building what is missing or stale.
import { requireNode } from './bootstrap/node-version.mjs';

requireNode();
const { runTool } = await import('./bootstrap/run-tool.mjs');
await runTool(process.argv[2], process.argv.slice(3));
