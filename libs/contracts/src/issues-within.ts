import { ValidateBy } from 'class-validator';

/** One thing that is wrong inside a value. */
export interface IssueWithin {
  /** Leads there from the value. */
  path: (string | number)[];
  msg: string;
  type: string;
}

/** A rule that looks through the whole of a value. The answer lists everything that it finds, each at its own place. */
export const HasNoIssues = (name: string, find: (value: unknown) => IssueWithin[]): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: (value) => find(value).length === 0 } }, { message: 'Input is not valid', context: { find } });

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
