// Replacement for the SDK in a deployed module. Schemas are read when an extension is built, so the
// module does not need them at run time.
export { ExtensionError } from './extension-error.js';
export { result } from './result.js';

const identity = <Value>(value: Value): Value => value;
export { identity as defineEventHandler, identity as defineExtension, identity as defineFunction };

/** Every schema is `{}`. */
export const Type: Record<string, () => object> = new Proxy({}, { get: () => () => ({}) });
