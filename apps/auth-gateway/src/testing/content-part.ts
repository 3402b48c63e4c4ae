import { newId } from '@platform/platform';
import type { TestResponse } from '@platform/testing';
import type { Caller } from './foreign-ids.js';
import type { TenantContent } from './tenant-content.js';

/** What belongs to a tenant and has a name by which others could ask for it. */
export interface ContentKind {
  /** A name that nobody has. */
  unknown: () => string;
  /** What paths, queries and bodies call such a name. */
  fields: readonly string[];
  /** Where the names are numbers: the table that counts them. Each such table counts from a million of its own, so that no number is of two kinds. */
  numbersOf?: string;
}

/**
 * What a feature has in a tenant, for all attacks on other tenants and for the erasure of users. A file `*.content.ts` in the folder of a feature exports it as `content`. It imports no value of
 * `all-content` and `tenant-content`, which load it. */
export interface ContentPart {
  kinds?: Record<string, ContentKind>;
  /** What a body has to say for an answer about what is named elsewhere, by method and path of the route. */
  bodies?: Record<string, (caller: Caller) => object>;
  /** Makes it in a tenant that has people, roles, agencies, and an app that people have installed. Other parts are made at the same time. */
  make?(content: TenantContent): Promise<void>;
}

/** Of a kind whose ids begin with this and `_`. */
export const kind = (prefix: string, fields: readonly string[]): ContentKind => ({ unknown: () => newId(prefix), fields });

/** Of a kind that this table counts. */
export const numberedKind = (numbersOf: string, fields: readonly string[]): ContentKind => ({
  unknown: () => '2000000000',
  fields,
  numbersOf,
});

/** The body of an answer, which must not be a refusal. */
export async function made<Body>(answer: Promise<TestResponse<Body>>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
