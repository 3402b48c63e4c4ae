import type { RateLimitPolicy } from '@platform/guards';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const policy = (name: string, quota: number, windowSeconds: number): RateLimitPolicy => ({ name, quota, windowSeconds });

/** Per client address; a refusal shows as 429. */
export const AddressLimits = {
  login: policy('login-ip', 30, MINUTE),
  signup: policy('signup-ip', 10, HOUR),
  verifyEmail: policy('verify-ip', 10, MINUTE),
  mail: policy('mail-ip', 20, HOUR),
  signupStatus: policy('signup-status-ip', 60, MINUTE),
};

/** Mails to one address. Beyond them no mail is sent and nothing shows, since a refusal would tell who has an account. */
export const RECIPIENT_LIMITS = [policy('mail-minute', 1, MINUTE), policy('mail-hour', 5, HOUR), policy('mail-day', 10, DAY)];
