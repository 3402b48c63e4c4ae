import { AccessErrors } from './access.errors.js';
import type { UserCaller } from './caller.js';

/**
 * Checks the credentials that need data of the service. Each app provides those that its routes
 * use.
 */
export abstract class Credentials {
  /**
   * Finds the user of the token in the header Authorization.
   *
   * @param token an access token, or an API key.
   * @throws AppError 401 `invalid_token` or `invalid_api_key` if it is not accepted; for an API key
   * also the other errors of `authenticateApiKey`.
   */
  abstract authenticateBearer(token: string): Promise<UserCaller>;

  /**
   * Finds the user of an API key in the header `x-api-key`.
   *
   * @throws AppError 401 `invalid_api_key` if the key is not accepted; in a service that asks the
   * gateway about keys also 429 `rate_limited` after too many unknown keys, and 503 `unavailable`
   * if the gateway does not answer.
   */
  abstract authenticateApiKey(key: string): Promise<UserCaller>;

  /**
   * Finds the user for whom a trusted backend acts.
   *
   * @param sessionId session in which the backend saw the user, if it names one. It must be active.
   * @throws AppError 404 if there is no such user, 403 if the user is disabled or has no confirmed
   * e-mail address, 401 if the session has ended; 400 or 401 in a service in which no backend can
   * act for a user.
   */
  abstract authenticateActingUser(platformId: string, sessionId?: string): Promise<UserCaller>;
}

/** Refuses all credentials of users with 401, in a service that only trusted backends call. */
export class NoUserCredentials extends Credentials {
  authenticateBearer(): Promise<never> {
    return Promise.reject(AccessErrors.invalidToken('This service takes no access tokens.'));
  }

  authenticateApiKey(): Promise<never> {
    return Promise.reject(AccessErrors.invalidApiKey());
  }

  authenticateActingUser(): Promise<never> {
    return Promise.reject(AccessErrors.invalidServiceToken());
  }
}
