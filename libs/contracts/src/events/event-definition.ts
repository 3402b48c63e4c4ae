import type { KeyScope } from '../access/key-scopes.js';

/** The types of JSON Schema that payloads are made of. */
interface Types {
  string: string;
  integer: number;
  boolean: boolean;
  null: null;
}

/** JSON Schema (2020-12). */
export interface FieldSchema {
  type: keyof Types | 'array' | readonly (keyof Types)[];
  description?: string;
  format?: 'date-time';
  enum?: readonly string[];
  items?: FieldSchema;
}

type ValueOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: 'array'; items: infer Item }
    ? ValueOf<Item>[]
    : Schema extends { type: readonly (infer Name extends keyof Types)[] }
      ? Types[Name]
      : Schema extends { type: infer Name extends keyof Types }
        ? Types[Name]
        : never;

export interface EventDefinition {
  /** When it happens, in one sentence. */
  description: string;
  /** By name. All fields are always there; what may be missing is null. */
  payload: Readonly<Record<string, FieldSchema>>;
  /** `user`: it is a user's, who gets it as well as their tenant. `tenant`: the tenant alone. */
  audience: 'user' | 'tenant';
  /** What `source_types` of the stream calls it; what the type begins with unless told. */
  sourceType?: string;
  /** Whether apps and automations of its user may handle it. */
  onBus?: true;
  /** The scope that an API key needs beside `events:read`; null for none; false where no key may hear of it. */
  keyScope: KeyScope | null | false;
  /** It holds what is said to the user: an outgoing webhook gets it only where its type is named, not by `*`. */
  saysText?: true;
}

/** Keeps the types of the fields as narrow as they are written. */
export const define = <const Definition extends EventDefinition>(definition: Definition): Definition => definition;

export type PayloadOf<Definition extends EventDefinition> = {
  -readonly [Name in keyof Definition['payload']]: ValueOf<Definition['payload'][Name]>;
};
