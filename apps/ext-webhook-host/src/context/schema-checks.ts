import { compileParamsCheck, type JsonObject, type ParamsCheck } from '@platform/app-document';

const checks = new WeakMap<JsonObject, ParamsCheck>();

/**
 * Returns the check of values against a schema in a document. It is compiled once, and kept as long
 * as the document.
 */
export function schemaCheckOf(schema: JsonObject): ParamsCheck {
  let check = checks.get(schema);
  if (!check) {
    check = compileParamsCheck(schema);
    checks.set(schema, check);
  }
  return check;
}
