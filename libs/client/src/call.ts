import { toApiError, type ResponseHead } from './error-answer.js';
import { ConnectionError } from './errors.js';

/** Result of the methods of the client. */
export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: ResponseHead;
}

/**
 * Returns the data of an answer: `const user = await call(client.GET('/v1/auth/me'))`; undefined
 * for an answer without a body.
 *
 * @throws ApiError if the platform refuses the request; ConnectionError if no valid answer arrives;
 * SignedOutError if a client with `tokens` has no session; the abort reason of the request.
 */
export async function call<Data>(pending: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await pending.catch(rethrowBodyError);
  if (!response.ok) throw toApiError(response, error);
  return data as Data; // undefined for an answer without a body, as its type says
}

/**
 * Throws the error of a body that broke off, took too long or is not JSON as ConnectionError, and
 * any other error as it is. The body is read after the headers, so its errors come from elsewhere
 * than those of the request.
 */
function rethrowBodyError(cause: unknown): never {
  const name = (cause as { name?: unknown } | null)?.name;
  if (name === 'SyntaxError') {
    throw new ConnectionError(
      'not_the_platform',
      'The server at this address is not the platform. Check the address.',
      { cause },
    );
  }
  if (name === 'TimeoutError') throw new ConnectionError('timeout', 'The platform took too long to answer.', { cause });
  if (name === 'TypeError') throw new ConnectionError('unreachable', 'The connection was interrupted.', { cause });
  throw cause;
}
