import { AppError } from '@platform/platform';

/** Why what is in a grant does not hold any more, as the audit log says it. */
export const REFUSALS = {
  app_unavailable: 'The app is gone, suspended or not published.',
  key_gone: 'An API key that led to the run, or deployed what runs, was deleted or has expired.',
  app_gone: 'An app that led to the run, or deployed what runs, may not act for the user any more.',
  other_version: 'Another version of the app runs by now.',
  user_inactive: 'The user is gone or may not sign in.',
  other_tenant: 'The run belongs to another tenant.',
  not_installed: 'The user does not have the app.',
  installed_again: 'The user has the app again, or still.',
  not_agreed: 'An API key by which the app was installed was deleted or has expired, and the user has not agreed since.',
  disabled: 'The user has disabled the app.',
  closed: 'The tenant has closed the app to the user.',
  wrong_kind: 'A run of this kind may not ask for this.',
  other_app: 'This is about another app than the one that runs.',
} as const;
export type Refusal = keyof typeof REFUSALS;

export const RunGrantErrors = {
  invalid: () => new AppError(403, 'run_grant.invalid', 'This is no run grant of this platform.'),
  expired: () => new AppError(403, 'run_grant.expired', 'The time of this run is over.'),
  ended: () => new AppError(403, 'run_grant.ended', 'This run has ended.'),
  refused: (why: Refusal) => new AppError(403, 'run_grant.refused', REFUSALS[why]),
  noUser: () => new AppError(403, 'run_grant.no_user', 'This run is of no user.'),
};
