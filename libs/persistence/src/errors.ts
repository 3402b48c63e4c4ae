import { QueryFailedError } from 'typeorm';

interface PostgresError {
  code?: string;
  constraint?: string;
}

/** The constraint that a statement violated, or null when it failed for another reason. */
export function violatedConstraint(thrown: unknown): string | null {
  if (!(thrown instanceof QueryFailedError)) return null;
  const { code, constraint } = thrown.driverError as PostgresError;
  return code?.startsWith('23') ? (constraint ?? null) : null;
}

/**
 * For `.catch(onViolation('users_tenant_email_key', () => UserErrors.emailTaken()))`: the database decides, and its refusal becomes
 * the feature's own error. Anything else is thrown on.
 */
export function onViolation(constraint: string, toError: () => Error): (thrown: unknown) => never {
  return (thrown) => {
    throw violatedConstraint(thrown) === constraint ? toError() : thrown;
  };
}
