import { currentContext } from '@platform/platform';
import { Client } from 'pg';

type Query = (this: Client, statement: string | { text: string }) => unknown;

/** Records the SQL statements that this process sends to PostgreSQL, by request. */
export class Statements {
  private readonly byRequest = new Map<string, string[]>();
  private readonly original = Reflect.get(Client.prototype, 'query') as Query;

  constructor() {
    const { byRequest, original } = this;
    const query: Query = function (this: Client, ...all) {
      const [statement] = all;
      const requestId = currentContext()?.requestId;
      const text = typeof statement === 'string' ? statement : statement.text;
      if (requestId) byRequest.set(requestId, [...(byRequest.get(requestId) ?? []), text]);
      return original.apply(this, all);
    };
    Reflect.set(Client.prototype, 'query', query);
  }

  /**
   * Statements of a request, in the order of sending. @param requestId the request's
   * `X-Request-Id`.
   */
  ofRequest(requestId: string): string[] {
    return this.byRequest.get(requestId) ?? [];
  }

  stop(): void {
    Reflect.set(Client.prototype, 'query', this.original);
  }
}
