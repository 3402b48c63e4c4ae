import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { panel } from './service.js';

/** A folder next to the compiled server. */
const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

await runService(() =>
  panel(loadConfig(developmentEnvironment()), { web: folder('../web'), packages: folder('../../../packages') }),
);
