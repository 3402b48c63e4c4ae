import { alternatives, daysLeftOut } from '@platform/app-document';
import { isMessage, shortenText, type RuleAction } from '@platform/contracts';

const MAX_LENGTH = 200;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * Describes a rule in at most 200 characters, so that its owner can check how the prompt was
 * understood.
 */
export function describeRule(eventType: string, schedule: string | null, actions: readonly RuleAction[]): string {
  const text = `${schedule === null ? `When ${eventType}` : describeSchedule(schedule)}: ${actions.map(inWords).join('; ')}`;
  return shortenText(text, MAX_LENGTH);
}

const inWords = (action: RuleAction): string =>
  isMessage(action) ? `message “${action.message.replaceAll(/\s+/g, ' ')}”` : `call ${action.app_id}.${action.tool}`;

/** Describes common schedules in words, and others by their cron fields. */
function describeSchedule(schedule: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.split(' ');
  if (schedule === '* * * * *') return 'Every minute';
  const isDaily = [minute, hour].every((field) => /^\d+$/.test(field)) && day === '*' && month === '*';
  const dayNamed =
    weekday === '*' ? 'day' : weekday === '1-5' ? 'weekday' : DAYS[/^\d$/.test(weekday) ? Number(weekday) % 7 : NaN];
  if (isDaily && dayNamed) return `Every ${dayNamed} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} UTC`;
  const missing = daysLeftOut(schedule);
  const exception = missing.length ? `; not in months without day ${alternatives(missing)}` : '';
  return `On the schedule ${schedule} (UTC${exception})`;
}
