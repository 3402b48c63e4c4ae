import type { ToolManifest } from '@platform/contracts';
import type { AppDocument } from './document.js';
import { MAIN } from './sent-document.js';
import { everyStepOf } from './walk.js';

/**
 * Names of the functions that create a section of the skeleton and that decide if it has changed.
 */
export const refreshActivity = (section: string): string => `skeleton_refresh_${section}`;
export const alertActivity = (section: string): string => `skeleton_alert_${section}`;

/** Manifest of an app: the data that its callers see. */
export function toolManifest({ app }: AppDocument): ToolManifest {
  return {
    version: app.version,
    tools: app.functions.map(({ name, description, action_type, params_schema, return_schema, required_scopes }) => ({
      name,
      description,
      action_type,
      params_schema,
      return_schema,
      required_scopes,
    })),
    skeleton_sections: app.skeleton.map(({ section, alert, ttl }) => ({
      section_name: section,
      refresh_activity: refreshActivity(section),
      alert_activity: alert ? alertActivity(section) : null,
      ttl,
      alert_on_change: alert,
    })),
  };
}

/**
 * Number of steps that the document has in the simple form, including inner steps and the steps
 * that declare something.
 */
export function stepCount({ app }: AppDocument): number {
  const declared = [
    ...app.functions.filter(({ name }) => name !== MAIN),
    ...app.webhooks,
    ...app.schedules,
    ...app.events.subscribes,
  ];
  return declared.length + everyStepOf(app).length;
}
