import { lintSamples } from './lint-samples.js';

const SAMPLES = {
  'apps/auth-gateway/src/organisation/users/users.service.ts': `
import { Installs } from '../../extensions/installs/installs.service.js'; // refused
import { x } from './../../extensions/installs/installs.service.js'; // refused
import { type Review, Reviews } from '../../marketplace/reviews/reviews.service.js'; // refused
export { seed } from '../../seed.js'; // refused
export * from '../../app.module.js'; // refused
import { GatewayTest } from '../../testing/gateway.js'; // refused
const later = await import('../../automations/automations.service.js'); // refused
import type { Install } from '../../extensions/installs/install.entity.js';
import { type Listing } from '../../marketplace/listings/listing-rows.js';
import { Sessions } from '../../identity/sessions/sessions.service.js';
import { Roles } from '../roles/roles.service.js';
import { Apps } from './apps/apps.js';
import { seed as own } from './seed.js';
import { CONFIG } from '../../config.js';
`,
  'apps/auth-gateway/src/config.ts': `
import { recordAudit } from './kernel/audit/record-audit.js'; // refused
`,
  'apps/auth-gateway/src/app.module.ts': `
import { AutomationsModule } from './automations/automations.module.js';
`,
  'apps/ext-webhook-host/src/steps/program.ts': `
import { Runs } from '../runs/runs.service.js'; // refused
import { thrownOf } from '../code/protocol.js'; // refused: beside it
import type { CodeModules } from '../code/protocol.js';
import { RunErrors } from '../handlers/run-errors.js';
import { textOf } from './values/json-values.js';
`,
  'apps/ext-webhook-host/src/code/process/child.ts': `
import { CodeRuntime } from '../host/code-runtime.js'; // refused
import { Vm } from '../thread/vm.js';
import { CODE_LIMITS } from '../code-limits.js';
import { Scheduler } from './scheduler.js';
`,
  'apps/ext-webhook-host/src/code/protocol.ts': `
import { Vm } from './thread/vm.js'; // refused
import { CODE_LIMITS } from './code-limits.js';
`,
};

/** No files that there are. */
const IN_NO_GROUP = [
  'apps/auth-gateway/src/a-new-folder/things.service.ts',
  'apps/ext-webhook-host/src/a-new-folder/things.service.ts',
  'apps/ext-webhook-host/src/code/a-new-folder/things.ts',
];

const RULE = 'platform/folder-groups';

it('refuses values of later groups however they are imported, and nothing else', async () => {
  const inNoGroup = IN_NO_GROUP.map((path): [string, string] => [path, 'export const things = 1;']);
  const { messages } = await lintSamples({ ...SAMPLES, ...Object.fromEntries(inNoGroup) }, { rule: RULE });
  for (const [path, text] of Object.entries(SAMPLES)) {
    expect(messages[path]?.filter(({ fatal }) => fatal)).toEqual([]);
    const refused = new Set(messages[path]?.filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line));
    const expected = text.split('\n').flatMap((line, at) => (line.includes('// refused') ? [at + 1] : []));
    expect([path, [...refused]]).toEqual([path, expected]);
  }
  expect(Object.values(messages).flatMap((ofFile) => ofFile.map(({ message }) => message))).toEqual(
    expect.arrayContaining([
      expect.stringContaining('`organisation` may not import `extensions`, which does not come before it. Import a type, '),
      expect.stringContaining('`organisation` may not import `seed`, '),
      expect.stringContaining('`config` may not import `kernel`, '),
      expect.stringContaining('`steps` may not import `code`, '),
      expect.stringContaining('`code/process` may not import `code/host`, '),
    ]),
  );
  for (const path of IN_NO_GROUP) expect([path, messages[path]]).toMatchObject([path, [{ ruleId: RULE, messageId: 'nowhere' }]]);
}, 60_000);
