import type { JsonValue } from '@platform/app-document';
import type { ContextHttp, HttpBodyOptions, HttpResponse } from '../context.js';
import { assertHostDeclared } from '../declared-hosts.js';
import { jsonText } from '../json-text.js';
import type { Budget } from '../run-limits.js';

/** A request as a test sees it. */
export interface SentRequest extends Pick<HttpBodyOptions, 'headers' | 'query' | 'json' | 'body'> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  url: string;
}

/** What a test answers: 200 and no headers unless told; a body that is no text is JSON. */
export interface GivenResponse {
  status_code?: number;
  headers?: Record<string, string>;
  body?: JsonValue;
}

export type Answer = (request: SentRequest) => GivenResponse | Promise<GivenResponse>;

/** What else decides about a request. */
interface MemoryHttpOptions {
  /** Where requests may go; null: anywhere. */
  hosts: readonly string[] | null;
  /** 200 and `{}` unless told. */
  answer?: Answer | undefined;
}

/**
 * `ctx.http` that reaches nobody: a request is noted as an effect, and answered by the test. To a host that is not among `hosts` it is
 * refused as on the platform; redirects are answers like others, and not followed.
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
      const sent = { url, headers, query, ...(json === undefined ? { body } : { json: JSON.parse(jsonText(json)) as JsonValue }) };
      note(`http.${method}`, sent);
      const given = await answer({ ...(sent as Omit<SentRequest, 'method'>), method });
      const { status_code = 200, headers: answered = {}, body: data = {} } = given;
      const bytes = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
      return { status_code, headers: answered, body: data, ok: status_code < 400, bytes };
    };
  return { get: request('get'), post: request('post'), put: request('put'), patch: request('patch'), delete: request('delete') };
}
