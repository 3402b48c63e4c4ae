/** What a call does to the world; whoever is unsure treats a function as `destructive`. */
export const ACTION_TYPES = ['read', 'write', 'destructive'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** A function of an app, as callers are offered it. */
export interface ToolDefinition {
  name: string;
  description: string;
  action_type: ActionType;
  /** JSON Schema 2020-12 of the params, always of type `object`. */
  params_schema: Record<string, unknown>;
  /** JSON Schema of what a call returns in `data`; null when the app does not say. */
  return_schema: Record<string, unknown> | null;
  /** What the caller must hold; `*` alone: nothing in particular. */
  required_scopes: string[];
}

/** A part of what a session begins with, kept fresh by a function of the app. */
export interface SkeletonSection {
  section_name: string;
  /** The function that makes the section. */
  refresh_activity: string;
  /** The function that tells whether the user should be told of a change. */
  alert_activity: string | null;
  /** Seconds until it is made again. */
  ttl: number;
  alert_on_change: boolean;
}

/** What the runtime knows of one version of an app. */
export interface ToolManifest {
  version: string;
  tools: ToolDefinition[];
  skeleton_sections: SkeletonSection[];
}
