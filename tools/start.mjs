// `npm start`: starts the whole platform; only Node.js is needed. `npm start -- --help` explains
// it. Everything else is imported after this check, because an older Node.js possibly cannot parse
// it.
import { requireNode } from './bootstrap/node-version.mjs';

requireNode();
const { main } = await import('./bootstrap/command-line.mjs');
await main(process.argv.slice(2));
