// `node tools/run.mjs <name> [arguments]`: runs a tool from dist/tools. Before, it installs and
// builds if something is missing or outdated.
import { requireNode } from './bootstrap/node-version.mjs';

requireNode();
const { runTool } = await import('./bootstrap/run-tool.mjs');
await runTool(process.argv[2], process.argv.slice(3));
