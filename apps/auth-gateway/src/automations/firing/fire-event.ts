/**
 * Value of `event` in the templates of a rule. It has the fields that event handlers of apps get.
 */
export interface FireEvent {
  event_id: string;
  event_type: string;
  /** The same as `event_type`. */
  type: string;
  timestamp: string;
  user_id: string;
  tenant_id: string;
  /** Id of the app that published the event, or `platform`. */
  source: string;
  data: Record<string, unknown>;
  /** Number of handlers and rules in the chain that led to the event. */
  hop: number;
}
