import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** The constraint that a statement violated, or null when it failed for another reason. */
export function violatedConstraint(thrown: unknown): string | null {
  // TypeORM wraps the driver's error; prepared statements go past it.
  const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(error instanceof DatabaseError)) return null;
  const { code, constraint } = error;
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
