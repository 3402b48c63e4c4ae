import type { TestResponse } from '../http-client.js';
import { DeclaredAnswers } from './declared-answers.js';
import type { DocumentedRoute } from './documented-routes.js';

/** Of issues: what a schema does not say, such as whether there is such a role. Descriptions do. */
const SAID_IN_WORDS = new Set(['value_error', 'string_pattern_mismatch', 'json_invalid']);

interface Issue {
  loc: (string | number)[];
  type: string;
}

/** Holds what a service takes and answers against its document, for requests of every kind. */
export class AnswersAsDeclared {
  private readonly declared: DeclaredAnswers;

  /** @param codes of failures that are expected, such as that of a service which a test has none of. */
  constructor(
    service?: string,
    private readonly codes: readonly string[] = [],
  ) {
    this.declared = new DeclaredAnswers(service);
  }

  /**
   * What is wrong with an answer, for whoever reads it.
   *
   * @param what is tried by the request.
   */
  faultsOf(route: DocumentedRoute, what: string, body: unknown, answer: TestResponse<unknown>): string[] {
    const { method, path } = route;
    const isFault = answer.status >= 500 && !this.codes.includes((answer.body as { code: string }).code);
    const faults = [isFault ? `answers ${answer.status}` : this.declared.faultOf(method, path, answer)];
    if (body !== undefined && route.schema && (answer.status < 300 || answer.status === 422)) {
      const mayBeTaken = this.declared.takes(method, path, body);
      if (answer.status < 300 && !mayBeTaken) faults.push('is taken, and the document says that it is not');
      if (answer.status === 422 && mayBeTaken && formRefused(answer).length) {
        faults.push(`is refused, and the document says that it is taken: ${JSON.stringify(formRefused(answer))}`);
      }
    }
    return faults.flatMap((fault) => (fault ? [`${what}: ${fault}`] : []));
  }
}

/** What of a body is refused by its form. */
function formRefused({ body }: TestResponse<unknown>): Issue[] {
  const { detail } = body as { detail: Issue[] | string };
  return Array.isArray(detail) ? detail.filter(({ loc, type }) => loc[0] === 'body' && !SAID_IN_WORDS.has(type)) : [];
}
