import { AppError } from '@platform/platform';

/** Reasons why a grant is refused. The audit log contains the key, the answer contains the text. */
export const REFUSALS = {
  app_unavailable: 'The app was deleted or suspended, or is not published.',
  key_gone: 'An API key that led to the run, or that deployed this version, was deleted or has expired.',
  app_gone: 'An app that led to the run, or that deployed this version, can no longer act for the user.',
  other_version: 'The app runs another version now.',
  user_inactive: 'The user was deleted or cannot sign in.',
  other_tenant: 'The run belongs to another tenant.',
  not_installed: 'The user does not have the app.',
  installed_again: 'The user has installed the app again, or never removed it.',
  not_agreed: 'An API key that installed the app was deleted or has expired, and the user has not agreed since.',
  disabled: 'The user has disabled the app.',
  closed: 'The tenant has closed the app to the user.',
  wrong_kind: 'A run of this kind cannot make this request.',
  other_app: 'The request is about another app than the one that runs.',
} as const;
export type Refusal = keyof typeof REFUSALS;

export const RunGrantErrors = {
  invalid: () => new AppError(403, 'run_grant.invalid', 'This is not a run grant of this platform.'),
  expired: () => new AppError(403, 'run_grant.expired', 'The run grant has expired.'),
  ended: () => new AppError(403, 'run_grant.ended', 'This run has ended.'),
  refused: (why: Refusal) => new AppError(403, 'run_grant.refused', REFUSALS[why]),
  noUser: () => new AppError(403, 'run_grant.no_user', 'This run has no user.'),
};
