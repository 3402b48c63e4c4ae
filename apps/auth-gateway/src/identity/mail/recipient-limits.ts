import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter } from '@platform/guards';
import { CONFIG, type Config } from '../../config.js';
import { MailLimits } from './mail.limits.js';

/** Keeps strangers from flooding a mailbox through us. */
@Injectable()
export class RecipientLimits {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Counts a mail to this address of this tenant; false when it must not be sent. */
  async mayMail(tenantId: string, canonicalEmail: string): Promise<boolean> {
    return (await this.secondsToWait(tenantId, canonicalEmail)) === 0;
  }

  /** As `mayMail`: 0 when it may be sent, else when to ask again. */
  async secondsToWait(tenantId: string, canonicalEmail: string): Promise<number> {
    const key = this.key(`${tenantId}\n${canonicalEmail}`);
    for (const policy of MailLimits.recipient) {
      const { allowed, retryAfterSeconds } = await this.limiter.consume(policy, key);
      if (!allowed) return Math.max(1, retryAfterSeconds);
    }
    return 0;
  }

  /** Counts a signup with this address, of whatever tenant; false when its user must not be told of it. */
  async mayNotify(canonicalEmail: string): Promise<boolean> {
    return (await this.limiter.consume(MailLimits.notices, this.key(canonicalEmail))).allowed;
  }

  /** So that what is counted names nobody. */
  private key(recipient: string): string {
    return (this.config.SECRET_KEYS.mac('recipient', recipient) as Buffer).toString('base64url');
  }
}
