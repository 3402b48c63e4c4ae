import { Injectable } from '@nestjs/common';
import { RetentionService } from '@platform/persistence';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

/** Deletes expired mail tokens, and the tokens of deleted accounts. */
@Injectable()
export class MailTokenCleanupService {
  constructor(retention: RetentionService, accountDeletion: AccountDeletionService) {
    retention.registerExpiredRows({ table: 'mail_tokens', key: 'id', where: "expires_at < now() - interval '1 day'" });
    accountDeletion.addAccessStep(rowsOfUser('mail_tokens'));
  }
}
