import { toApiError, type ResponseHead } from './error-answer.js';
import { ConnectionError } from './errors.js';

/** What the methods of the client resolve to. */
export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: ResponseHead;
}

/**
 * The data of an answer: `const user = await call(client.GET('/v1/auth/me'))`. Throws ApiError for a refusal and ConnectionError when
 * no proper answer came.
 */
export async function call<Data>(pending: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await pending.catch(rethrowBodyError);
  if (!response.ok) throw toApiError(response, error);
  return data as Data; // undefined where the answer has no body, as its type says
}

/** The body is read after the fetch, so it can still break off, take too long, or not be JSON. */
function rethrowBodyError(cause: unknown): never {
  const name = (cause as { name?: unknown } | null)?.name;
  if (name === 'SyntaxError') {
    throw new ConnectionError('not_the_platform', 'Something else than the platform answers at this address.', { cause });
  }
  if (name === 'TimeoutError') throw new ConnectionError('timeout', 'The platform took too long to answer.', { cause });
  if (name === 'TypeError') throw new ConnectionError('unreachable', 'The connection broke off.', { cause });
  throw cause;
}
