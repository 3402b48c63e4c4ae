import { Injectable } from '@nestjs/common';
import type { RegisterRequest, TokenResponse } from '@platform/contracts';
import { Outbox } from '@platform/persistence';
import { PasswordPolicy } from '../passwords/password.policy.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { getAccount } from '../sessions/signed-in-account.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { assertCanAuthenticate } from '../accounts/can-authenticate.js';
import { createAccount } from './create-account.js';
import { RegistrationErrors } from './registration.errors.js';

@Injectable()
export class RegistrationService {
  constructor(
    private readonly outbox: Outbox,
    private readonly passwords: PasswordsService,
    private readonly policy: PasswordPolicy,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Creates a user with a confirmed address, and signs them in. Deletes pending signups with the
   * address. Returns the tokens of the new session.
   *
   * @throws AppError 403 `auth_method_not_allowed` if the tenant does not allow passwords; 409
   * `user.email_taken` if a user of the tenant has the address, `tenant.deleted` if the tenant is
   * deactivated; 503 if too many passwords wait to be hashed.
   * @throws ValidationFailed for a weak password or an unknown tenant.
   */
  async registerUser({ email, password, tenant_id }: RegisterRequest, client: Client): Promise<TokenResponse> {
    await this.policy.assertPasswordAllowed(password, { field: 'password', email, tenantId: tenant_id });
    const passwordHash = await this.passwords.hashPassword(password);
    const { account, sessionId } = await this.outbox.transaction(async (em) => {
      const userId = await createAccount(em, this.outbox, { tenantId: tenant_id, email, passwordHash });
      if (!userId) throw RegistrationErrors.emailTaken();
      const created = await getAccount(em, userId);
      assertCanAuthenticate(created, 'email');
      return {
        account: created,
        sessionId: await this.sessions.startSessionForUser(em, userId, client, 'registration'),
      };
    });
    return this.sessions.issueTokens(account, { id: sessionId, surface: client.surface });
  }
}
