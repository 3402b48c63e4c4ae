import { AccessErrors } from './access.errors.js';
import type { UserCaller } from './caller.js';

/** How a service checks the credentials that need its own data. Each app provides the ones its routes use. */
export abstract class Credentials {
  /** @param token an access token, or an API key. @throws AppError 401 when it is not accepted. */
  abstract bearer(token: string): Promise<UserCaller>;

  /** @throws AppError 401 when the key is not accepted. */
  abstract apiKey(key: string): Promise<UserCaller>;

  /**
   * @param sessionId the session in which the backend saw the user, where it says so: it must be alive.
   * @throws AppError 400, 403 or 404 when nobody may act for this user, 401 when the session has ended.
   */
  abstract actingUser(platformId: string, sessionId?: string): Promise<UserCaller>;
}

/** For a service that only trusted backends call. */
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
