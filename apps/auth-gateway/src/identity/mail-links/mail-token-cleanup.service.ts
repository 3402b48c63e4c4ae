import { Injectable } from '@nestjs/common';
import { Expiries } from '@platform/persistence';
import { Erasures, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';

/** Deletes expired mail tokens, and the tokens of deleted accounts. */
@Injectable()
export class MailTokenCleanup {
  constructor(expiries: Expiries, erasures: Erasures) {
    expiries.add({ table: 'mail_tokens', key: 'id', where: "expires_at < now() - interval '1 day'" });
    erasures.addAccessStep(rowsOfUser('mail_tokens'));
  }
}
