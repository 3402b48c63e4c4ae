import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.js';
import { extWebhookHost } from './service.js';

const document = fileURLToPath(new URL('../../../../docs/openapi/ext-webhook-host.json', import.meta.url));

await runService(() => extWebhookHost(loadConfig(developmentEnvironment()), document));
