import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/**
 * Reads from an error the name of the constraint that a statement violated. Null for any other
 * error, and for NOT NULL, which has no name.
 */
export function violatedConstraint(thrown: unknown): string | null {
  // TypeORM wraps the error of the driver; prepared statements bypass TypeORM.
  const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(error instanceof DatabaseError)) return null;
  const { code, constraint } = error;
  return code?.startsWith('23') ? (constraint ?? null) : null;
}

/**
 * Makes a function for `catch` that throws the error of `toError` if the statement violated this
 * constraint: `.catch(onViolation('users_tenant_email_key', () => UserErrors.emailTaken()))`. It
 * throws any other error unchanged.
 */
export function onViolation(constraint: string, toError: () => Error): (thrown: unknown) => never {
  return (thrown) => {
    throw violatedConstraint(thrown) === constraint ? toError() : thrown;
  };
}
