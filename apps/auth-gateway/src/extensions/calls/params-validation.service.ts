import { compileParamsCheck, type JsonObject, type ParamsCheck } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { FunctionError } from './function-error.js';

/** Checks params against JSON Schemas. Compiles each schema once. */
@Injectable()
export class ParamsValidationService {
  /** Keyed by the schema object, which lives as long as its manifest. */
  private readonly compiled = new WeakMap<object, ParamsCheck>();

  /**
   * Checks params against a JSON Schema.
   *
   * @throws FunctionError `VALIDATION_MISSING_FIELD` or `VALIDATION_TYPE_ERROR` that says which
   * param is missing or wrong.
   */
  validateParams(schema: Record<string, unknown>, params: unknown): void {
    let check = this.compiled.get(schema);
    if (!check) {
      check = compileParamsCheck(schema as JsonObject);
      this.compiled.set(schema, check);
    }
    const issue = check(params);
    if (issue) throw new FunctionError(issue.code, issue.message);
  }
}
