import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { authGateway } from './service.js';

const exported = (service: string) => fileURLToPath(new URL(`../../../../docs/openapi/${service}.json`, import.meta.url));
/** The gateway is the address that the public knows, so it hands out the registry's description too. */
const documents = { own: exported('auth-gateway'), registry: exported('registry') };

await runService(() => authGateway(loadConfig(developmentEnvironment()), documents));
