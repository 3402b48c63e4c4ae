import { MINUTE, policy } from '../../kernel/rate-limits.js';

export const CliLoginLimits = {
  /** Per client address. */
  token: policy('cli-token-ip', 20, MINUTE),
  deviceAuthorize: policy('device-authorize-ip', 10, MINUTE),
};

/**
 * Wrong user codes, per person and for all people together. The second limit makes guessing useless
 * even with many accounts.
 */
export const UserCodeLimits = {
  person: policy('user-code-person', 10, 15 * MINUTE),
  everybody: policy('user-code-everybody', 100, MINUTE),
  audit: policy('user-code-audit', 1, 15 * MINUTE),
};
