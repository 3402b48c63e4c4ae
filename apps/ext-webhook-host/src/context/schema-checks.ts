import { compileParamsCheck, type JsonObject, type ParamsCheck } from '@platform/app-document';

const checks = new WeakMap<JsonObject, ParamsCheck>();

/** The check of a schema of a document, compiled once for as long as the document is kept. */
export function checkOf(schema: JsonObject): ParamsCheck {
  let check = checks.get(schema);
  if (!check) {
    check = compileParamsCheck(schema);
    checks.set(schema, check);
  }
  return check;
}
