import type { Fetch } from './timeout.js';

/** Source of access tokens for requests. */
export interface AccessTokens {
  /** Returns an access token that is still valid for some time. */
  current(): Promise<string>;
  /** Returns a new access token to replace `refused`, which the platform did not accept. */
  renew(refused: string): Promise<string>;
}

/**
 * Returns a `fetch` that sends the access token with each request. After a 401, it sends the
 * request once more with a new token, and returns that answer, also if it is a 401. It throws the
 * errors of `tokens`, such as SignedOutError.
 */
export function withAccessToken(fetch: Fetch, tokens: AccessTokens): Fetch {
  return async (request) => {
    const again = request.clone(); // a body can be sent only once
    const token = await tokens.current();
    const answer = await fetch(authorized(request, token));
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    return fetch(authorized(again, await tokens.renew(token)));
  };
}

function authorized(request: Request, token: string): Request {
  request.headers.set('Authorization', `Bearer ${token}`);
  return request;
}
