import { lintSamples } from './lint-samples.js';

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

it('refuses @Inject where the type of the parameter says the same, and nowhere else', async () => {
  const { messages: ofFiles } = await lintSamples({ [CHECKED]: SAMPLE }, { rule: RULE, typed: true });
  const messages = ofFiles[CHECKED] ?? [];
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  const refused = messages.filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line);
  expect(refused).toEqual(SAMPLE.split('\n').flatMap((line, at) => (line.endsWith('// refused') ? [at + 1] : [])));
}, 60_000);
