export * from './http-client.js';
export * from './smtp-sink.js';
export * from './test-database.js';
export * from './test-service.js';
export * from './until.js';
