export * from './data-source.js';
export * from './embedded-postgres.js';
export * from './errors.js';
export * from './migrate.js';
export * from './outbox.js';
export * from './persistence.module.js';
export * from './prepared.js';
