// What takes the place of the SDK in the module that is deployed: schemas are read when an extension is built and not when it runs, so
// they need nothing there.
export { ExtensionError } from './extension-error.js';
export { result } from './result.js';

const identity = <Value>(value: Value): Value => value;
export { identity as defineEventHandler, identity as defineExtension, identity as defineFunction };

/** Every schema is `{}`. */
export const Type: Record<string, () => object> = new Proxy({}, { get: () => () => ({}) });
