import { Inject, Injectable } from '@nestjs/common';
import { PayoutDestinationsRepository, type PayoutDestinationRow } from '@platform/billing';
import type { PayoutDestinationResponse, UpdatePayoutDestinationRequest } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { JobsService } from '@platform/messaging';
import { Outbox, TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { FeatureMailsRegistry } from '../../identity/mail/feature-mails.registry.js';
import { mailQueue } from '../../identity/mail/mail.jobs.js';
import type { Mail } from '../../identity/mail/mailer.service.js';
import { CurrentPasswordService } from '../../identity/password-changes/current-password.service.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { AccountDeletionService } from '../../kernel/account-deletion/account-deletion.service.js';
import { describeSealError, type SealedColumn } from '../../kernel/sealing/sealed-column.js';
import { DeveloperErrors } from '../developers/developers.errors.js';
import { lockDeveloper } from '../developers/lock-developer.js';
import { getDeveloperTier } from '../developers/get-developer-tier.js';
import { destinationChangedMail, type ChangedDestination } from './payout-destination-mail.js';
import type { PayoutAccount } from './payout-response.js';
import { sealedDestinations } from './sealed-destinations.js';

/** The account that receives a developer's payouts. */
@Injectable()
export class PayoutDestinationsService {
  private readonly sealed: SealedColumn;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly passwords: CurrentPasswordService,
    private readonly destinations: PayoutDestinationsRepository,
    @Inject(CONFIG) private readonly config: Config,
    mails: FeatureMailsRegistry,
    accountDeletion: AccountDeletionService,
  ) {
    this.sealed = sealedDestinations(config.SECRET_KEYS);
    mails.registerWriter('payout-destination-changed', (id) => this.writeMail(id));
    accountDeletion.addDataStep((tenant, userId) => this.destinations.clearDetails(tenant, userId));
  }

  /**
   * Returns the saved account of the caller; all fields are null if there is none.
   *
   * @throws AppError 403 `developer.not_registered` if the caller is not a developer.
   */
  async getPayoutDestination({ userId, tenantId }: UserCaller): Promise<PayoutDestinationResponse> {
    const em = this.dataSource.manager;
    await getDeveloperTier(em, userId);
    return this.toResponse(await this.destinations.findCurrent(new TenantData(em, tenantId), userId));
  }

  /**
   * Replaces the saved account of the caller, and mails them about it.
   *
   * @throws AppError 400 `password.current_invalid` for a wrong password, also for a user without a
   * password; 403 `developer.not_registered` if the caller is not a developer; 429 `rate_limited`
   * after too many wrong passwords.
   */
  async updatePayoutDestination(
    { userId, tenantId }: UserCaller,
    { method, details, current_password }: UpdatePayoutDestinationRequest,
  ): Promise<PayoutDestinationResponse> {
    await getDeveloperTier(this.dataSource.manager, userId);
    await this.passwords.assertCurrentPassword(userId, current_password);
    const id = newId('pod');
    const row = await this.outbox.transaction(async (em) => {
      if (!(await lockDeveloper(em, userId))) throw DeveloperErrors.notRegistered();
      const kept = await this.destinations.replace(new TenantData(em, tenantId), userId, {
        id,
        method,
        sealedDetails: this.sealed.seal(id, details),
      });
      await recordAudit(em, {
        action: 'payout_destination.changed',
        target: { type: 'developer', id: userId },
        tenantId,
        after: { method },
      });
      await this.jobs.enqueue(em, mailQueue, 'feature', { kind: 'payout-destination-changed', id });
      return kept;
    });
    return this.toResponse(row);
  }

  /**
   * Decrypts the account of a payout, for the person who pays it. Null if none was saved or the
   * developer's account was deleted.
   *
   * @throws the error of the decryption if it cannot be read.
   */
  decryptDetails({
    destination_id: id,
    sealed_details: sealed,
  }: {
    destination_id: string | null;
    sealed_details: string | null;
  }): string | null {
    return id === null || sealed === null ? null : this.sealed.open(id, sealed);
  }

  /**
   * Decrypts the account of a payout, for one entry of a list. An account that cannot be decrypted
   * becomes a `problem`, so that the other entries still show. Both fields are null if none was
   * saved.
   */
  decryptAccount(row: Parameters<PayoutDestinationsService['decryptDetails']>[0]): PayoutAccount {
    try {
      return { details: this.decryptDetails(row), problem: null };
    } catch (error) {
      return { details: null, problem: describeSealError(error) };
    }
  }

  private toResponse(row: PayoutDestinationRow | null): PayoutDestinationResponse {
    if (!row) return { method: null, details: null, changed_at: null };
    const details = this.decryptDetails({ destination_id: row.id, sealed_details: row.sealed_details });
    return { method: row.method, details, changed_at: row.created_at };
  }

  private async writeMail(id: string): Promise<Mail | null> {
    const [changed] = await this.dataSource.query<ChangedDestination[]>(
      `SELECT u.email, u.first_name AS "firstName", d.created_at AS "changedAt"
       FROM payout_destinations d JOIN users u ON u.id = d.user_id AND u.erased_at IS NULL WHERE d.id = $1`,
      [id],
    );
    return changed ? destinationChangedMail(changed, `${this.config.PANEL_URL}/earnings`) : null;
  }
}
