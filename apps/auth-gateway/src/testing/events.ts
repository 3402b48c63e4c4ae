import type { NewEvent } from '../extensions/events/platform-events.service.js';

/** An event of any type, including types that the platform does not define. */
export interface AnyEvent extends Omit<NewEvent, 'type' | 'data' | 'userId'> {
  userId: string | null;
  type: string;
  data: object;
}

export const asNewEvent = (event: AnyEvent): NewEvent => event as NewEvent;
