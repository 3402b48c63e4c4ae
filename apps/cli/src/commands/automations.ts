import { call, type RuleResponse } from '@platform/client';
import { Option, type Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { moment } from '../text/times.js';
import { wholeNumber } from '../text/whole-number.js';
import { callExtension } from './call.js';

const NOTIFY_MODES = ['all', 'failures', 'off'] as const satisfies readonly RuleResponse['notify_mode'][];

interface CreateOptions {
  cooldown?: number;
  maxPerHour?: number;
  times?: number;
  notify?: RuleResponse['notify_mode'];
}

export function addAutomations(program: Command, contextOf: ContextOf): void {
  const automations = program
    .command('automations')
    .description('manage rules that act for you on a schedule or an event. Accepts PLATFORM_API_KEY');
  automations
    .command('list')
    .description('list your automations, newest first')
    .action((_options: object, command: Command) => list(contextOf(command)));
  automations
    .command('create')
    .argument('<prompt>', 'text of the rule: when it runs and what it does')
    .option('--cooldown <seconds>', 'pause after each run; 60 by default', wholeNumber)
    .option('--max-per-hour <number>', 'most runs in any hour; 10 by default', wholeNumber)
    .option('--times <number>', 'number of runs before it pauses; no limit by default', wholeNumber)
    .addOption(new Option('--notify <mode>', 'runs to notify you about; failures by default').choices(NOTIFY_MODES))
    .description('create an automation')
    .addHelpText(
      'after',
      `
Examples:
  $ platform automations create 'every weekday at 09:00: message "Good morning"'
  $ platform automations create 'when marketplace.app_installed: call notes.add_note with {"text": "{{ event.data.app_id }}"}'`,
    )
    .action((prompt: string, options: CreateOptions, command: Command) => create(contextOf(command), prompt, options));
  const ofOne = (name: keyof typeof DONE, description: string) =>
    automations
      .command(name)
      .argument('<automation>', 'id, see `platform automations list`', wholeNumber)
      .description(description)
      .action((id: number, _options: object, command: Command) => change(contextOf(command), name, id));
  ofOne('pause', 'pause an automation');
  ofOne('resume', 'resume an automation, and reset its run count');
  ofOne('delete', 'delete an automation and its history');
}

async function list({ keyOrSession: client, output }: Context): Promise<void> {
  const rules = await call(client.GET('/v1/automations', {}));
  const rows = rules.map(({ id, status, interpretation, trigger_count, next_at, last_error }) => {
    return [
      String(id),
      status,
      interpretation,
      String(trigger_count),
      next_at === null ? '-' : moment(next_at),
      last_error ?? '',
    ];
  });
  output.result(
    rules,
    rows.length ? table(['ID', 'STATUS', 'WHAT', 'FIRED', 'NEXT', 'ERROR'], rows) : 'You have no automations.',
  );
}

async function create(
  context: Context,
  prompt: string,
  { cooldown, maxPerHour, times, notify }: CreateOptions,
): Promise<void> {
  const params = {
    prompt,
    cooldown_seconds: cooldown,
    max_per_hour: maxPerHour,
    max_iterations: times,
    notify_mode: notify,
  };
  const { data } = await callExtension(context, 'automations', 'create_automation', params);
  const { id, interpretation } = data as unknown as RuleResponse;
  context.output.result(data, `Automation ${id}. ${printable(interpretation)}`);
}

const DONE = { pause: 'is paused', resume: 'is active', delete: 'was deleted' };

async function change(
  { keyOrSession: client, output }: Context,
  name: keyof typeof DONE,
  rule_id: number,
): Promise<void> {
  const params = { path: { rule_id } };
  const answer = await (name === 'delete'
    ? call(client.DELETE('/v1/automations/{rule_id}', { params }))
    : call(client.POST(`/v1/automations/{rule_id}/${name}`, { params })));
  output.result(answer, `Automation ${rule_id} ${DONE[name]}.`);
}
