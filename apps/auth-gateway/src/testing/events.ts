import type { NewEvent } from '../extensions/events/platform-events.js';

/** An event of whatever type, also of one that the platform has not. */
export interface AnyEvent extends Omit<NewEvent, 'type' | 'data' | 'userId'> {
  userId: string | null;
  type: string;
  data: object;
}

export const asNewEvent = (event: AnyEvent): NewEvent => event as NewEvent;
