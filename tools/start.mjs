// `npm start`: brings up the whole platform with nothing but Node.js. `npm start -- --help` explains it.
// Everything else is imported after this check, because an older Node.js may not even parse it.
import { requireNode } from './bootstrap/node-version.mjs';

requireNode();
const { main } = await import('./bootstrap/command-line.mjs');
await main(process.argv.slice(2));
