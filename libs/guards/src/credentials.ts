import type { UserCaller } from './caller.js';

/** How a service checks the credentials that need its own data. Each app provides the ones its routes use. */
export abstract class Credentials {
  /** @throws AppError 401 when the token is not accepted. */
  abstract bearer(token: string): Promise<UserCaller>;

  /** @throws AppError 400, 403 or 404 when nobody may act for this user. */
  abstract actingUser(platformId: string): Promise<UserCaller>;
}
