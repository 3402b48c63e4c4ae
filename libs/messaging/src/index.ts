export * from './jobs.js';
export * from './maintenance-tasks.js';
export * from './messaging.module.js';
export * from './notifications.js';
export * from './queue-definition.js';
export * from './queue-engine.js';
export * from './service-workers.js';
