import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter } from '@platform/guards';
import { CONFIG, type Config } from '../../config.js';
import { MailLimits } from './mail.limits.js';

/**
 * Limits the mails to a recipient, so that strangers cannot flood a mailbox through the platform.
 */
@Injectable()
export class RecipientLimitsService {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a mail to this address in this tenant. Returns false above the limits of one mail a
   * minute, five an hour and ten a day (`MailLimits.recipient`); then do not send the mail.
   */
  async consumeMail(tenantId: string, canonicalEmail: string): Promise<boolean> {
    return (await this.consumeMailOrGetWait(tenantId, canonicalEmail)) === 0;
  }

  /**
   * Counts a mail to this address in this tenant. Returns 0 if it can be sent. Above a limit of
   * `consumeMail` it returns the seconds to wait (at least 1); then call it again before you send.
   */
  async consumeMailOrGetWait(tenantId: string, canonicalEmail: string): Promise<number> {
    const key = this.key(`${tenantId}\n${canonicalEmail}`);
    for (const policy of MailLimits.recipient) {
      const { allowed, retryAfterSeconds } = await this.limiter.consume(policy, key);
      if (!allowed) return Math.max(1, retryAfterSeconds);
    }
    return 0;
  }

  /**
   * Counts a signup with this address, in any tenant. Returns false after five in a day; then do
   * not notify the user with this address.
   */
  async consumeNotice(canonicalEmail: string): Promise<boolean> {
    return (await this.limiter.consume(MailLimits.notices, this.key(canonicalEmail))).allowed;
  }

  /** Returns an HMAC of the recipient, so that the counters contain no addresses. */
  private key(recipient: string): string {
    return (this.config.SECRET_KEYS.mac('recipient', recipient) as Buffer).toString('base64url');
  }
}
