import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { authGateway } from './service.js';

/** The gateway is the address that the public knows, so it hands out the registry's description too. */
const registryDocument = fileURLToPath(new URL('../../../../docs/openapi/registry.json', import.meta.url));

await runService(() => authGateway(loadConfig(developmentEnvironment()), { registry: registryDocument }));
