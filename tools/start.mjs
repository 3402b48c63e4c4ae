// `npm start`: brings up the whole platform with nothing but Node.js. `npm start -- --help` explains it.
// Everything else is imported after this check, because an older Node.js may not even parse it.
import { requireNode } from './start/node-version.mjs';

requireNode();
const { main } = await import('./start/command-line.mjs');
await main(process.argv.slice(2));
