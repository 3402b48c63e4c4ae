/** What `{{ event… }}` stands for in the actions of a rule: the event as handlers of apps get it. */
export interface FireEvent {
  event_id: string;
  event_type: string;
  /** The same as `event_type`. */
  type: string;
  timestamp: string;
  user_id: string;
  tenant_id: string;
  /** The app that has published it, or `platform`. */
  source: string;
  data: Record<string, unknown>;
  /** How many handlers and rules led to it, one after the other. */
  hop: number;
}
