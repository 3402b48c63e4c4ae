import type { JsonValue } from '@platform/app-document';
import type { ContextHttp, HttpBodyOptions, HttpResponse } from '../context.js';
import { assertHostDeclared } from '../declared-hosts.js';
import { jsonText } from '../json-text.js';
import type { Budget } from '../run-limits.js';

/** A request that a test receives. */
export interface SentRequest extends Pick<HttpBodyOptions, 'headers' | 'query' | 'json' | 'body'> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  url: string;
}

/**
 * A response that a test gives: status 200 without headers by default. A body other than a text is
 * sent as JSON.
 */
export interface GivenResponse {
  status_code?: number;
  headers?: Record<string, string>;
  body?: JsonValue;
}

export type Answer = (request: SentRequest) => GivenResponse | Promise<GivenResponse>;

/** Rules and answers of the HTTP client. */
interface MemoryHttpOptions {
  /** Hosts that requests can reach; null: all hosts. */
  hosts: readonly string[] | null;
  /** 200 and `{}` by default. */
  answer?: Answer | undefined;
}

/**
 * Implements `ctx.http` without a network. Each request is recorded as an effect and answered by
 * the test. Redirects are returned and not followed.
 *
 * @throws ExtensionError EGRESS_HOST_NOT_DECLARED for a host outside of `hosts`, BUDGET_EXCEEDED
 * after too many requests, JSON_INVALID for a `json` that JSON cannot represent; the errors of
 * `answer`.
 */
export function memoryHttp(
  budget: Budget,
  note: (what: string, details: object) => void,
  { hosts, answer = () => ({}) }: MemoryHttpOptions,
): ContextHttp {
  const request =
    (method: SentRequest['method']) =>
    async (url: string, { headers, query, json, body }: HttpBodyOptions = {}): Promise<HttpResponse> => {
      budget.spend();
      if (URL.canParse(url)) assertHostDeclared(new URL(url), hosts);
      const sent = {
        url,
        headers,
        query,
        ...(json === undefined ? { body } : { json: JSON.parse(jsonText(json)) as JsonValue }),
      };
      note(`http.${method}`, sent);
      const given = await answer({ ...(sent as Omit<SentRequest, 'method'>), method });
      const { status_code = 200, headers: answered = {}, body: data = {} } = given;
      const bytes = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
      return { status_code, headers: answered, body: data, ok: status_code < 400, bytes };
    };
  return {
    get: request('get'),
    post: request('post'),
    put: request('put'),
    patch: request('patch'),
    delete: request('delete'),
  };
}
