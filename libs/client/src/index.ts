export * from './access-tokens.js';
export * from './call.js';
export * from './client.js';
export * from './error-answer.js';
export * from './errors.js';
export type * from './generated/auth-gateway.js';
export * from './refreshing-tokens.js';
export type * from './timeout.js';
export * from './token-store.js';
