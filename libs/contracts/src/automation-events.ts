/** What a rule with a schedule waits for. */
export const SCHEDULED_EVENT = 'system.scheduled';
/** That an automation has fired. */
export const AUTOMATION_TRIGGERED = 'automation.triggered';
