import type { TestResponse } from '../test-client.js';
import { OpenApiValidator } from './openapi-validator.js';
import type { DocumentedRoute } from './documented-routes.js';

/**
 * Types of issues that a schema cannot express, such as an unknown role. The descriptions of the
 * fields state them.
 */
const TYPES_IN_DESCRIPTIONS = new Set(['value_error', 'string_pattern_mismatch', 'json_invalid']);

interface Issue {
  loc: (string | number)[];
  type: string;
}

/** Compares the requests that a service accepts, and its answers, with its OpenAPI document. */
export class OpenApiConformance {
  private readonly declared: OpenApiValidator;

  /**
   * @param codes error codes of expected 5xx answers, such as those of a service that the test
   * does not start
   */
  constructor(
    service?: string,
    private readonly codes: readonly string[] = [],
  ) {
    this.declared = new OpenApiValidator(service);
  }

  /**
   * Describes each difference between an answer and the OpenAPI document; empty if there is none. A
   * 5xx is a fault unless its code is among `codes`. A body that the document allows must not be
   * refused for its form, and one that it forbids must not be taken.
   *
   * @param what description of the tested input, for the message
   */
  findFaults(route: DocumentedRoute, what: string, body: unknown, answer: TestResponse<unknown>): string[] {
    const { method, path } = route;
    const isFault = answer.status >= 500 && !this.codes.includes((answer.body as { code: string }).code);
    const faults = [isFault ? `answers ${answer.status}` : this.declared.findFault(method, path, answer)];
    if (body !== undefined && route.schema && (answer.status < 300 || answer.status === 422)) {
      const mayBeTaken = this.declared.acceptsBody(method, path, body);
      if (answer.status < 300 && !mayBeTaken) faults.push('is taken, and the document says that it is not');
      if (answer.status === 422 && mayBeTaken && findFormIssues(answer).length) {
        faults.push(`is refused, and the document says that it is taken: ${JSON.stringify(findFormIssues(answer))}`);
      }
    }
    return faults.flatMap((fault) => (fault ? [`${what}: ${fault}`] : []));
  }
}

/**
 * Issues of a 422 with the form of the body. Empty if the request was refused for another reason.
 */
function findFormIssues({ body }: TestResponse<unknown>): Issue[] {
  const { detail } = body as { detail: Issue[] | string };
  return Array.isArray(detail)
    ? detail.filter(({ loc, type }) => loc[0] === 'body' && !TYPES_IN_DESCRIPTIONS.has(type))
    : [];
}
