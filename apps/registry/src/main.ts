import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { registry } from './service.js';

const document = fileURLToPath(new URL('../../../../docs/openapi/registry.json', import.meta.url));

await runService(() => registry(loadConfig(developmentEnvironment()), document));
