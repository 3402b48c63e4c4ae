import 'reflect-metadata';
import { developmentEnvironment, runWorker } from '@platform/platform';
import { loadConfig } from './config.js';
import { extWebhookHost } from './service.js';

await runWorker(() => extWebhookHost({ ...loadConfig(developmentEnvironment()), WORKERS: 'inline' }));
