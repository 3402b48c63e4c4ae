import 'reflect-metadata';
import { developmentEnvironment, runService } from '@platform/platform';
import { loadConfig } from './config.js';
import { registry } from './service.js';

await runService(() => registry(loadConfig(developmentEnvironment())));
