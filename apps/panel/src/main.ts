import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { panel } from './service.js';

/** Where the build puts the front end, beside the compiled server. */
const webFolder = fileURLToPath(new URL('../web', import.meta.url));

await runService(() => panel(loadConfig(developmentEnvironment()), webFolder));
