export * from './jobs.service.js';
export * from './maintenance-tasks.service.js';
export * from './messaging.module.js';
export * from './broadcast.service.js';
export * from './queue-definition.js';
export * from './queue-engine.js';
export * from './service-workers.js';
