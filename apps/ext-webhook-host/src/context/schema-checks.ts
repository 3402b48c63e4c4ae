import { compileParamsCheck, type JsonObject, type ParamsCheck } from '@platform/app-document';

const checks = new WeakMap<JsonObject, ParamsCheck>();

/** Compiled check of a schema in a document. Kept as long as the document. */
export function checkOf(schema: JsonObject): ParamsCheck {
  let check = checks.get(schema);
  if (!check) {
    check = compileParamsCheck(schema);
    checks.set(schema, check);
  }
  return check;
}
