import 'reflect-metadata';
import { developmentEnvironment, runWorker } from '@platform/platform';
import { loadConfig } from './config.js';
import { authGateway } from './service.js';

await runWorker(() => authGateway({ ...loadConfig(developmentEnvironment()), WORKERS: 'inline' }));
