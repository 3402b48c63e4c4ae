import { AppError, Errors, ValidationFailed, type ValidationIssue } from '@platform/platform';

/** Only a deletion makes room, or another plan: a client that tries again by itself does so seldom. */
const TIME_TO_DELETE_ONE_SECONDS = 60;

export interface RuleQuota {
  /** How many rules the user may have; null without a limit. */
  cap: number | null;
  used: number;
  /** Null without a limit. */
  remaining: number | null;
  unlimited: boolean;
  plan: string;
  /** What the cap comes from. */
  source: 'plan' | 'role';
}

export const AutomationErrors = {
  notFound: () => new AppError(404, 'automation.not_found', 'There is no such automation.'),
  /** Within a tenant only: of another one nothing is found. */
  notOwner: () => new AppError(403, 'automation.not_owner', 'This automation belongs to somebody else.'),
  beyondKey: () =>
    new AppError(
      403,
      'automation.beyond_key',
      'This automation may do more than your API key, or the app that asks. Change it as yourself.',
    ),
  changedMeanwhile: () =>
    new AppError(409, 'automation.changed_meanwhile', 'Another request changed what this automation does at the same time. Try again.'),
  ownerGone: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  adminOnly: () => new AppError(403, 'automation.admin_only', 'Only administrators see the automations of others.'),
  /** Clients of the interface read `detail` as an object here. */
  quotaExceeded: (quota: RuleQuota) =>
    Errors.limited(
      'automation.quota_exceeded',
      `The plan ${quota.plan} allows ${String(quota.cap)} automations. Delete one first.`,
      TIME_TO_DELETE_ONE_SECONDS,
      { detail: { error_code: 'AUTOMATION_QUOTA_EXCEEDED', quota } },
    ),
  whichOnes: () =>
    new ValidationFailed([{ loc: ['body', 'rule_ids'], msg: 'Say which ones: either rule_ids or all: true', type: 'value_error' }]),
  invalid: (issues: ValidationIssue[]) => new ValidationFailed(issues),
};
