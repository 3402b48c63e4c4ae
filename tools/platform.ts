// `npm run platform` runs the command line from the workspace.
import '../apps/cli/src/main.js';
