import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { loadConfig } from './config.js';
import { extWebhookHost } from './service.js';

await runService(() => extWebhookHost(loadConfig(developmentEnvironment())));
