export * from './http-client.js';
export * from './last-words.js';
export * from './raw-request.js';
export * from './smtp-sink.js';
export * from './test-database.js';
export * from './test-service.js';
export * from './until.js';
export * from './wire.js';
