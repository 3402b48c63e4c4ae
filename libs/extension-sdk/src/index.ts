export { Type, type Static, type TSchema } from 'typebox';
export type { JsonObject, JsonValue } from '@platform/app-document';
export type * from './context.js';
export * from './definition.js';
export { ExtensionError, type ExtensionErrorOptions } from './extension-error.js';
export { result, type HandlerResult, type ResultParts } from './result.js';
export type {
  DocumentPage,
  QueryOptions,
  Selection,
  StoredDocument,
  SystemListOptions,
  UserPage,
} from './documents.js';
