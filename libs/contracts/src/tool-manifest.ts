/**
 * Effects of a function. A client that does not know the effect treats a function as `destructive`.
 */
export const ACTION_TYPES = ['read', 'write', 'destructive'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** A function of an app, as clients see it. */
export interface ToolDefinition {
  name: string;
  description: string;
  action_type: ActionType;
  /** JSON Schema 2020-12 of the parameters, always of type `object`. */
  params_schema: Record<string, unknown>;
  /** JSON Schema of the `data` in the answer; null if the app declares none. */
  return_schema: Record<string, unknown> | null;
  /** Scopes that the caller must have. `*` alone: none. */
  required_scopes: string[];
}

/** A section of the initial state of a session, which a function of the app keeps current. */
export interface SkeletonSection {
  section_name: string;
  /** Function that creates the section. */
  refresh_activity: string;
  /** Function that decides if the user is notified of a change; null if there is none. */
  alert_activity: string | null;
  /** Seconds until the section is refreshed. */
  ttl: number;
  alert_on_change: boolean;
}

/** Data of one app version that the runtime needs. */
export interface ToolManifest {
  version: string;
  tools: ToolDefinition[];
  skeleton_sections: SkeletonSection[];
}
