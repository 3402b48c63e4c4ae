import { AccessErrors } from './access.errors.js';
import type { UserCaller } from './caller.js';

/**
 * Checks the credentials that need data of the service. Each app provides those that its routes
 * use.
 */
export abstract class Credentials {
  /**
   * @param token an access token, or an API key.
   * @throws AppError 401 if it is not accepted.
   */
  abstract bearer(token: string): Promise<UserCaller>;

  /** @throws AppError 401 if the key is not accepted. */
  abstract apiKey(key: string): Promise<UserCaller>;

  /**
   * @param sessionId session in which the backend saw the user, if it names one. It must be active.
   * @throws AppError 400, 403 or 404 if no backend can act for this user, 401 if the session has
   * ended.
   */
  abstract actingUser(platformId: string, sessionId?: string): Promise<UserCaller>;
}

/** Refuses users, in a service that only trusted backends call. */
export class NoUserCredentials extends Credentials {
  bearer(): Promise<never> {
    return Promise.reject(AccessErrors.invalidToken('This service takes no access tokens.'));
  }

  apiKey(): Promise<never> {
    return Promise.reject(AccessErrors.invalidApiKey());
  }

  actingUser(): Promise<never> {
    return Promise.reject(AccessErrors.invalidServiceToken());
  }
}
