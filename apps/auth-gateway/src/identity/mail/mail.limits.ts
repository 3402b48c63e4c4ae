import { DAY, HOUR, MINUTE, policy } from '../../kernel/rate-limits.js';

/** `RATE_LIMIT_SCALE` multiplies the limit of client addresses alone. */
export const MailLimits = {
  /** Mails that one client address asks for. */
  address: policy('mail-ip', 20, HOUR),
  /** Mails to one address. Beyond them no mail is sent and nothing shows, since a refusal would tell who has an account. */
  recipient: [policy('mail-minute', 1, MINUTE), policy('mail-hour', 5, HOUR), policy('mail-day', 10, DAY)],
  /** Signups with one address of which its users are told, in all tenants together: who knows many tenants floods no mailbox. */
  notices: policy('mail-notices-day', 5, DAY),
};
