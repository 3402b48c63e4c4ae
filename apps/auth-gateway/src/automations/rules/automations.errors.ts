import { AppError, Errors, ValidationFailed, type ValidationIssue } from '@platform/platform';

/** Value of Retry-After, long because only a deletion or another plan makes room. */
const QUOTA_RETRY_AFTER_SECONDS = 60;

export interface RuleQuota {
  /** Most rules that the user can have; null: no limit. */
  cap: number | null;
  used: number;
  /** Null: no limit. */
  remaining: number | null;
  unlimited: boolean;
  plan: string;
  /** Origin of the cap. */
  source: 'plan' | 'role';
}

export const AutomationErrors = {
  notFound: () => new AppError(404, 'automation.not_found', 'There is no such automation.'),
  /** Used only within a tenant: rules of other tenants answer 404. */
  notOwner: () => new AppError(403, 'automation.not_owner', 'This automation belongs to another user.'),
  beyondKey: () =>
    new AppError(
      403,
      'automation.beyond_key',
      'This automation can do more than your API key or the calling app. Sign in and change it yourself.',
    ),
  changedMeanwhile: () =>
    new AppError(
      409,
      'automation.changed_meanwhile',
      'Another request changed this automation at the same time. Try again.',
    ),
  ownerGone: () => new AppError(404, 'user.not_found', 'There is no such user.'),
  adminOnly: () =>
    new AppError(403, 'automation.admin_only', 'Only administrators can see automations of other users.'),
  /** Clients of this interface read `detail` as an object here. */
  quotaExceeded: (quota: RuleQuota) =>
    Errors.limited(
      'automation.quota_exceeded',
      `The plan ${quota.plan} allows ${String(quota.cap)} automations. Delete one first.`,
      QUOTA_RETRY_AFTER_SECONDS,
      { detail: { error_code: 'AUTOMATION_QUOTA_EXCEEDED', quota } },
    ),
  whichOnes: () =>
    new ValidationFailed([
      { loc: ['body', 'rule_ids'], msg: 'Give either rule_ids or all: true', type: 'value_error' },
    ]),
  invalid: (issues: ValidationIssue[]) => new ValidationFailed(issues),
};
