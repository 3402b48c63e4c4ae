import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { loadConfig } from './config.js';
import { authGateway } from './service.js';

await runService(() => authGateway(loadConfig(developmentEnvironment())));
