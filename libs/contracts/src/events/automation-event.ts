import { AUTOMATION_TRIGGERED } from '../automation-events.js';
import { define } from './event-definition.js';
import { flag, id, text, textOrNull } from './fields.js';

export const AUTOMATION_EVENTS = {
  [AUTOMATION_TRIGGERED]: define({
    description: 'A rule of the user has fired.',
    payload: {
      rule_id: { type: 'integer', description: 'Of the rule.' },
      fire_id: id('Of this firing.'),
      event_id: id('Of the event that it waited for.'),
      event_type: text('Of that event.'),
      about_app: textOrNull('The app that the event is about, which alone among apps hears of it.'),
      unattended: flag('An app, a schedule or an API key led to it.'),
    },
    audience: 'user',
    onBus: true,
    keyScope: null,
  }),
};
