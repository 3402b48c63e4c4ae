import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { authGateway } from './service.js';

const exported = (service: string) =>
  fileURLToPath(new URL(`../../../../docs/openapi/${service}.json`, import.meta.url));
/**
 * The gateway also serves the registry's OpenAPI document, because only the gateway has a public
 * address.
 */
const documents = { own: exported('auth-gateway'), registry: exported('registry') };

await runService(() => authGateway(loadConfig(developmentEnvironment()), documents));
