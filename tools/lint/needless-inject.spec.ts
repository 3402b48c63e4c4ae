import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const SAMPLE = `
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Sessions } from '../../identity/sessions/sessions.service.js';

interface Ends { end(id: string): Promise<unknown> }

@Injectable()
export class Needless {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions, // refused
    @Inject(Sessions) plain: Sessions, // refused
    @Inject(CONFIG) readonly config: Config,
    @Inject(Sessions) readonly ends: Ends,
    @Inject(Sessions) readonly part: Pick<Sessions, 'end'>,
    @Inject(Sessions) readonly one: Sessions | null,
    readonly bare: Sessions,
  ) {}
}

/** It has no metadata but for @Inject. */
export class WithoutDecorator {
  constructor(@Inject(Sessions) readonly sessions: Sessions) {}
}
`;

const CHECKED = 'apps/auth-gateway/src/organisation/users/users.service.ts';
const RULE = 'platform/needless-inject';

/** Runs in a process of its own, since ESLint loads its configuration as a native ES module. The last line is ours: Nx may print warnings. */
const SCRIPT = `
  import { ESLint } from 'eslint';
  const [sample, filePath] = JSON.parse(process.argv[1]);
  const [{ messages }] = await new ESLint().lintText(sample, { filePath });
  console.log(JSON.stringify(messages));
`;

it('refuses @Inject where the type of the parameter says the same, and nowhere else', async () => {
  const input = JSON.stringify([SAMPLE, CHECKED]);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT, input]);
  const messages = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { ruleId: string | null; line: number; fatal?: boolean }[];
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  const refused = messages.filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line);
  expect(refused).toEqual(SAMPLE.split('\n').flatMap((line, at) => (line.endsWith('// refused') ? [at + 1] : [])));
}, 60_000);
