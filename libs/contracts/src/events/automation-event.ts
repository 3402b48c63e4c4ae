import { AUTOMATION_TRIGGERED } from '../automation-events.js';
import { define } from './event-definition.js';
import { flag, id, text, textOrNull } from './fields.js';

export const AUTOMATION_EVENTS = {
  [AUTOMATION_TRIGGERED]: define({
    description: 'A rule of the user fired.',
    payload: {
      rule_id: { type: 'integer', description: 'Id of the rule.' },
      fire_id: id('Id of this run of the rule.'),
      event_id: id('Id of the event that fired the rule.'),
      event_type: text('Type of that event.'),
      about_app: textOrNull(
        'App that the event is about. No other app receives the event. Null if it is about no app.',
      ),
      unattended: flag('True if an app, a schedule or an API key caused it.'),
    },
    audience: 'user',
    onBus: true,
    keyScope: null,
  }),
};
