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
  resetPassword: policy('reset-ip', 10, MINUTE),
  available: [policy('available-minute-ip', 10, MINUTE), policy('available-hour-ip', 60, HOUR)],
  cliToken: policy('cli-token-ip', 20, MINUTE),
  deviceAuthorize: policy('device-authorize-ip', 10, MINUTE),
  tenantHealth: policy('tenant-health-ip', 60, MINUTE),
  refresh: policy('refresh-ip', 300, MINUTE),
  logout: policy('logout-ip', 120, MINUTE),
};

/** Per user, whichever credential they come with. */
export const UserLimits = {
  /** Of functions, by `call`, `batch` (each of its calls) and `operate`. */
  calls: policy('calls', 1_200, MINUTE),
  deploys: policy('deploys', 60, MINUTE),
  smokeTests: policy('smoke-tests', 60, MINUTE),
  /** Whatever else a developer changes or has done: their profile, their tier, their apps, secrets of these, replays and runs of schedules. */
  portal: policy('developer-portal', 240, MINUTE),
  /** Of apps, and removals. */
  installs: policy('installs', 120, MINUTE),
  keys: policy('keys', 100, HOUR),
  /** Sessions that are registered for one user, by themselves and by backends. */
  registeredSessions: policy('register-session-user', 30, HOUR),
};

/** What the tier of a developer allows, for all of their apps together. */
export const appRequests = (quota: number): RateLimitPolicy => policy('app-requests', quota, MINUTE);

/** What one user may take of that, so that nobody takes it whole. */
export const appRequestsOfUser = (quota: number): RateLimitPolicy => policy('app-requests-user', Math.max(1, quota / 4), MINUTE);

/** Wrong user codes: by the person who enters them, and by everybody together, so that no number of accounts makes guessing worth it. */
export const UserCodeLimits = {
  person: policy('user-code-person', 10, 15 * MINUTE),
  everybody: policy('user-code-everybody', 100, MINUTE),
  audit: policy('user-code-audit', 1, 15 * MINUTE),
};

/** Mails to one address. Beyond them no mail is sent and nothing shows, since a refusal would tell who has an account. */
export const RECIPIENT_LIMITS = [policy('mail-minute', 1, MINUTE), policy('mail-hour', 5, HOUR), policy('mail-day', 10, DAY)];

/** Signups with one address of which its users are told, in all tenants together: who knows many tenants floods no mailbox. */
export const NOTICE_LIMIT = policy('mail-notices-day', 5, DAY);

/** Mails of one app to one user. Beyond them the notification is kept without mail. `RATE_LIMIT_SCALE` leaves this and the mails above as they are. */
export const APP_MAIL_LIMIT = policy('app-mail', 20, HOUR);
