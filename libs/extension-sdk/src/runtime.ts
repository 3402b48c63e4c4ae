// Code that the platform and the test context share, so that both behave the same. Extensions do
// not import it.
export * from './cache-entries.js';
export * from './capabilities.js';
export * from './context.js';
export * from './declared-hosts.js';
export * from './declared-secrets.js';
export * from './documents.js';
export * from './events.js';
export { ExtensionError, type ExtensionErrorOptions } from './extension-error.js';
export * from './json-text.js';
export * from './memory/memory-cache.js';
export * from './memory/memory-context.js';
export * from './memory/memory-http.js';
export * from './memory/memory-store.js';
export * from './chat.js';
export * from './progress.js';
export { queryForms } from './query-forms.js';
export * from './run-limits.js';
export * from './secrets.js';
export * from './signatures/schemes.js';
export * from './signatures/signatures.errors.js';
export * from './signatures/verify-signature.js';
export * from './store.errors.js';
export * from './time.js';
export * from './usage.js';
export * from './users.js';
