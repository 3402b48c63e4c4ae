import { FILTERS, type JsonValue } from '@platform/app-document';
import { readFileSync } from 'node:fs';
import type { TracedStep } from '../handlers/handler-runtime.js';
import { runSteps, step, type SampleRun } from '../testing/step-runs.js';

const page = readFileSync('docs/steps.md', 'utf8');
const blocks = (info: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${info}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);

interface Example extends SampleRun {
  answers?: object;
  fails?: object;
  /** Ids of the executed steps, in order. */
  does?: string[];
}
const examples = blocks('json').map((text) => JSON.parse(text) as Example);

const args = JSON.parse(blocks('json args')[0] ?? '') as JsonValue;
/** Rows of the table with this head: the code in both columns. */
function rows(head: string): [string, string][] {
  const [, table = ''] = page.split(new RegExp(`^\\| ${head} +\\|.*\\n`, 'm'));
  const lines = table.split('\n\n')[0] ?? '';
  return [...lines.matchAll(/^\| `(.*?)` +\| `(.*?)` +\|$/gm)].map(([, left = '', right = '']) => [
    left.replaceAll('\\|', '|'),
    right,
  ]);
}

describe('docs/steps.md', () => {
  it.each(
    examples.map((example): [string, Example] => [
      example.steps.map((each) => (each as { id: string }).id).join(', '),
      example,
    ]),
  )('shows what becomes of %s', async (_ids, { answers, fails, does, ...sample }) => {
    const trace: TracedStep[] = [];
    const run = runSteps(sample, trace);
    if (fails) await expect(run).rejects.toMatchObject(fails);
    else expect(await run).toMatchObject(answers ?? { data: 'what it answers' });
    if (does) expect(trace.map(({ id }) => id)).toEqual(does);
  });

  it.each(rows('template'))('says what %s gives', async (template, value) => {
    const steps = [step('r', 'control.return', { data: JSON.parse(template) as JsonValue })];
    expect((await runSteps({ steps, args })).data).toEqual(JSON.parse(value));
  });

  it.each(rows('condition'))('says whether %s holds', async (condition, holds) => {
    const returned = (data: boolean) => [step(String(data), 'control.return', { data })];
    const steps = [
      step('if', 'control.if', { if: JSON.parse(condition) as JsonValue, then: returned(true), else: returned(false) }),
    ];
    expect((await runSteps({ steps, args })).data).toBe(JSON.parse(holds));
  });

  it('has all of them', () => {
    expect(examples.length).toBeGreaterThan(10);
    expect(rows('condition').length).toBeGreaterThan(15);
    for (const filter of FILTERS)
      expect(rows('template').some(([template]) => template.includes(`| ${filter}`))).toBe(true);
  });
});
