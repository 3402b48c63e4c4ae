import { readFileSync } from 'node:fs';
import { FILTERS, ISSUE_RULES, LIMITS, parseAppDocument, STEP_KINDS } from './index.js';
import { operations } from './schema/operations.js';
import { TEMPLATE_ROOTS } from './templates.js';

const guide = readFileSync('docs/app-document.md', 'utf8');
const examples = [...guide.matchAll(/^```json\n(.*?)^```$/gms)].map(
  ([, json = '']) => JSON.parse(json) as { app_id?: string; app?: { id: string } },
);

describe('docs/app-document.md', () => {
  it.each(examples.map((example) => [example.app_id ?? example.app?.id, example]))(
    'shows an app %s that can be deployed',
    (_id, example) => {
      expect(parseAppDocument(example)).toMatchObject({ ok: true, warnings: [] });
    },
  );

  it('tells every action with its params', () => {
    for (const kind of STEP_KINDS) {
      const [row = ''] = guide.split('\n').filter((line) => line.startsWith(`| \`${kind}\` `));
      for (const { action, params } of operations.filter((operation) => operation.kind === kind)) {
        expect(row).toContain(`\`${action}\``);
        for (const name of Object.keys(params['properties'] as object))
          expect(row).toMatch(new RegExp(`\\b${name}\\b`));
        for (const name of params['required'] as string[]) expect(row).toMatch(new RegExp(`\\b${name}\\\\\\*`));
      }
    }
  });

  it('tells every root, filter, rule and limit', () => {
    for (const word of [...TEMPLATE_ROOTS, ...FILTERS, ...ISSUE_RULES])
      expect(guide).toMatch(new RegExp(`\`${word}\\b`));
    const { functions, steps, nesting, templatePath, subschemas, patterns, patternLength } = LIMITS;
    for (const limit of [
      `| ${functions} `,
      `| ${steps} `,
      `| ${nesting} `,
      `| ${templatePath} `,
      `| ${subschemas} parts`,
      `| ${patterns}; ${patternLength} `,
    ]) {
      expect(guide).toContain(limit);
    }
  });
});
