import type { KeyScope } from '../access/key-scopes.js';

/** JSON Schema types that payloads use. */
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
  /** Occasion of the event, in one or two sentences. */
  description: string;
  /**
   * Fields of the payload by name. All fields are always present; one that has no value is null.
   */
  payload: Readonly<Record<string, FieldSchema>>;
  /**
   * `user`: events of one user, delivered to the user and to the tenant. `tenant`: delivered only
   * to the tenant.
   */
  audience: 'user' | 'tenant';
  /** Name in `source_types` of the event stream. Default: the first part of the type. */
  sourceType?: string;
  /** True if apps and automations of the user can handle it. */
  onBus?: true;
  /**
   * Scope that an API key needs in addition to `events:read`. Null: none. False: no API key can
   * receive the event.
   */
  keyScope: KeyScope | null | false;
  /**
   * True if the event contains a message to the user. An outgoing webhook receives it only if its
   * type is named, not through `*`.
   */
  saysText?: true;
}

/** Returns its argument. It keeps the literal types of the fields. */
export const define = <const Definition extends EventDefinition>(definition: Definition): Definition => definition;

export type PayloadOf<Definition extends EventDefinition> = {
  -readonly [Name in keyof Definition['payload']]: ValueOf<Definition['payload'][Name]>;
};
