/** Event that starts rules with a schedule. */
export const SCHEDULED_EVENT = 'system.scheduled';
/** Event that reports that an automation fired. */
export const AUTOMATION_TRIGGERED = 'automation.triggered';
