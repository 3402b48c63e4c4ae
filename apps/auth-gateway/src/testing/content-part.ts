import { newId } from '@platform/platform';
import type { TestResponse } from '@platform/testing';
import type { Caller } from './foreign-ids.js';
import type { TenantContent } from './tenant-content.js';

/**
 * A kind of data of a tenant that has an id or a name, so that users of other tenants could try it.
 */
export interface ContentKind {
  /** Makes an id (or name) that does not exist. */
  unknown: () => string;
  /** Names of the fields that hold the id in paths, queries and bodies. */
  fields: readonly string[];
  /**
   * Table with the numeric ids of this kind. Each such table starts at its own multiple of a
   * million, so that no number belongs to two kinds.
   */
  numbersOf?: string;
}

/**
 * Test data of a feature for one tenant. The attacks on other tenants and the account deletion
 * specs use it. Each `*.content.ts` exports it as `content`. It must not import values from
 * `all-content` or `tenant-content`, which load it.
 */
export interface ContentPart {
  kinds?: Record<string, ContentKind>;
  /** Makes the body of requests to routes with required fields. Key: method and path. */
  bodies?: Record<string, (caller: Caller) => object>;
  /**
   * Creates the data. The tenant already has users, roles, agencies and an installed app. Parts run
   * concurrently.
   */
  create?(content: TenantContent): Promise<void>;
}

/** Kind with ids that begin with `<prefix>_`. */
export const kind = (prefix: string, fields: readonly string[]): ContentKind => ({
  unknown: () => newId(prefix),
  fields,
});

/** Kind with numeric ids from the sequence of this table. */
export const numberedKind = (numbersOf: string, fields: readonly string[]): ContentKind => ({
  unknown: () => '2000000000',
  fields,
  numbersOf,
});

/** Returns the body of the answer. Throws if the status is 300 or higher. */
export async function bodyOfSuccess<Body>(answer: Promise<TestResponse<Body>>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
