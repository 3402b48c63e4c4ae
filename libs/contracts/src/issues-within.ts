import { ValidateBy } from 'class-validator';

/** A problem inside a value. */
export interface IssueWithin {
  /** Path from the value to the problem. */
  path: (string | number)[];
  msg: string;
  type: string;
}

/**
 * The value must have no issues. `find` returns all issues of a value; the answer (422) lists each
 * at its own path.
 */
export const HasNoIssues = (name: string, find: (value: unknown) => IssueWithin[]): PropertyDecorator =>
  ValidateBy(
    { name, validator: { validate: (value) => find(value).length === 0 } },
    { message: 'Input is not valid', context: { find } },
  );

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
