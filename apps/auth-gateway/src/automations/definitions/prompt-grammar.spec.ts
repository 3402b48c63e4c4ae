import { SCHEDULED_EVENT } from '@platform/contracts';
import { describeRule } from './interpretation.js';
import { PromptError, parsePrompt } from './prompt-grammar.js';

const scheduled = (schedule: string) => ({ event_type: SCHEDULED_EVENT, schedule });
const hello = [{ message: 'Hello' }];

describe('a prompt', () => {
  it.each([
    ['every minute', '* * * * *'],
    ['Every 15 minutes', '*/15 * * * *'],
    ['every hour', '0 * * * *'],
    ['every hour at :05', '5 * * * *'],
    ['every 6 hours', '0 */6 * * *'],
    ['every day at 9:00', '0 9 * * *'],
    ['daily at 23:59 UTC', '59 23 * * *'],
    ['every weekday at 08:30', '30 8 * * 1-5'],
    ['EVERY Sunday at 0:00', '0 0 * * 0'],
    ['every friday at 17:15', '15 17 * * 5'],
    ['on day 1 of every month at 06:00', '0 6 1 * *'],
    ['on schedule "5 4 * * 1,3"', '5 4 * * 1,3'],
  ])('%s: …', (when, schedule) => {
    expect(parsePrompt(`${when}: message "Hello"`)).toEqual({ trigger: scheduled(schedule), actions: hello });
    expect(parsePrompt(`  ${when}, message "Hello" `)).toEqual({ trigger: scheduled(schedule), actions: hello });
  });

  it.each(['notes.note_added', 'a-b.c.d', 'ns:action'])('when %s: …', (event_type) => {
    expect(parsePrompt(`When ${event_type}: message "Hello"`).trigger).toEqual({ event_type, schedule: null });
    expect(parsePrompt(`when ${event_type} happens, message "Hello"`).trigger).toEqual({ event_type, schedule: null });
  });

  it.each<[string, unknown[]]>([
    ['message "Hello"', hello],
    ['notify me: Hello', hello],
    ['tell me one; then two', [{ message: 'one; then two' }]],
    ['message "a \\"b\\" {{ event.data.x }}"', [{ message: 'a "b" {{ event.data.x }}' }]],
    ['call notes.add', [{ app_id: 'notes', tool: 'add', args: {} }]],
    ['Run my-notes.add_note with {"a":{"b":"}"}}', [{ app_id: 'my-notes', tool: 'add_note', args: { a: { b: '}' } } }]],
    [
      'call a.b; message "x" then call c.d with {}',
      [{ app_id: 'a', tool: 'b', args: {} }, { message: 'x' }, { app_id: 'c', tool: 'd', args: {} }],
    ],
    ['call a.b, and then tell me done', [{ app_id: 'a', tool: 'b', args: {} }, { message: 'done' }]],
  ])('…: %s', (what, actions) => {
    expect(parsePrompt(`every minute: ${what}`).actions).toEqual(actions);
  });

  it.each([
    ['', 'Begin with'],
    ['remind me of things', 'Begin with'],
    ['every day: message "x"', 'Begin with'],
    ['when somebody signs up: message "x"', 'Begin with'],
    ['every minute', 'Begin with'],
    ['every 7 minutes: message "x"', 'equal steps of 7'],
    ['every 60 minutes: message "x"', 'equal steps'],
    ['every 0 minutes: message "x"', 'equal steps'],
    ['every day at 24:00: message "x"', '24 is too high here'],
    ['every hour at :60: message "x"', '60 is too high here'],
    ['every minute:', 'Say what to do'],
    ['every minute: do something', '"do something"'],
    ['every minute: message ""', 'needs a text'],
    ['every minute: message "x', 'no end'],
    ['every minute: message "\\q"', 'not valid JSON'],
    ['every minute: message "x" call a.b', 'Put "; "'],
    ['every minute: message "x";', 'Say what to do'],
    ['every minute: call a.b with [1]', 'write a JSON object'],
    ['every minute: call a.b with {"a":1', 'no end'],
    ['every minute: call a.b with {a:1}', 'not valid JSON'],
    ['every minute: call a.b with {"a":"', 'no end'],
  ])('is refused with a reason: %s', (prompt, reason) => {
    expect(() => parsePrompt(prompt)).toThrow(PromptError);
    expect(() => parsePrompt(prompt)).toThrow(reason);
  });

  it('takes no longer for what only looks like one', () => {
    const before = process.cpuUsage(); // CPU time, because the wall clock would count other processes
    for (const part of ['every ', 'when a.', 'a.b', '{"', '\\"', ': ', 'then ', '; ']) {
      for (const begin of ['', 'when a.', 'every minute: call a.b with ', 'every minute: message "']) {
        try {
          parsePrompt(begin + part.repeat(30_000));
        } catch (error) {
          if (!(error instanceof PromptError)) throw error;
        }
      }
    }
    const { user } = process.cpuUsage(before);
    expect(user).toBeLessThan(10_000_000); // microseconds: usually 15,000; minutes if the time grew with the square of the length
  });
});

describe('the interpretation', () => {
  it.each<[string, string | null, string]>([
    ['notes.added', null, 'When notes.added'],
    [SCHEDULED_EVENT, '* * * * *', 'Every minute'],
    [SCHEDULED_EVENT, '5 9 * * *', 'Every day at 09:05 UTC'],
    [SCHEDULED_EVENT, '0 17 * * 1-5', 'Every weekday at 17:00 UTC'],
    [SCHEDULED_EVENT, '0 17 * * 7', 'Every Sunday at 17:00 UTC'],
    [SCHEDULED_EVENT, '0 17 1 * *', 'On the schedule 0 17 1 * * (UTC)'],
    [SCHEDULED_EVENT, '0 17 31 * *', 'On the schedule 0 17 31 * * (UTC; not in months without day 31)'],
    [SCHEDULED_EVENT, '0 17 1,30,31 * *', 'On the schedule 0 17 1,30,31 * * (UTC; not in months without day 30 or 31)'],
    [SCHEDULED_EVENT, '*/5 17 * * *', 'On the schedule */5 17 * * * (UTC)'],
  ])('of %s %s', (eventType, schedule, when) => {
    expect(describeRule(eventType, schedule, [{ message: 'a\nb' }, { app_id: 'x', tool: 'y', args: { z: 1 } }])).toBe(
      `${when}: message “a b”; call x.y`,
    );
  });

  it('has 200 characters at most, and breaks none of them', () => {
    const text = describeRule('a.b', null, [{ message: '👍'.repeat(500) }]);
    expect(Array.from(text)).toHaveLength(200);
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});
