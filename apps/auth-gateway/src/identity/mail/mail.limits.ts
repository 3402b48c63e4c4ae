import { DAY, HOUR, MINUTE, policy } from '../../kernel/rate-limits.js';

/** `RATE_LIMIT_SCALE` scales only the limit of client addresses. */
export const MailLimits = {
  /** Mails that one client address can request. */
  address: policy('mail-ip', 20, HOUR),
  /**
   * Mails to one recipient. Above the limit no mail is sent and the answer stays the same, because
   * a refusal would reveal that an account exists.
   */
  recipient: [policy('mail-minute', 1, MINUTE), policy('mail-hour', 5, HOUR), policy('mail-day', 10, DAY)],
  /**
   * Notices to the users of one address about signups with it, in all tenants together, so that the
   * mailbox cannot be flooded through many tenants.
   */
  notices: policy('mail-notices-day', 5, DAY),
};
