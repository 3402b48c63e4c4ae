import { lintSamples, type LintMessage, type Outcome } from './lint-samples.js';

const IMPORTS = {
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
import { RunsService } from '../runs/runs.service.js'; // refused
import { thrownOf } from '../code/protocol.js'; // refused: beside it
import type { CodeModules } from '../code/protocol.js';
import { RunErrors } from '../handlers/run-errors.js';
import { textOf } from './values/json-values.js';
`,
  'apps/ext-webhook-host/src/code/process/child.ts': `
import { CodeRuntimeService } from '../host/code-runtime.service.js'; // refused
import { Vm } from '../thread/vm.js';
import { CODE_LIMITS } from '../code-limits.js';
import { RunScheduler } from './run-scheduler.js';
`,
  'apps/ext-webhook-host/src/code/protocol.ts': `
import { Vm } from './thread/vm.js'; // refused
import { CODE_LIMITS } from './code-limits.js';
`,
};

/** Paths that do not exist. */
const IN_NO_GROUP = [
  'apps/auth-gateway/src/a-new-folder/things.service.ts',
  'apps/ext-webhook-host/src/a-new-folder/things.service.ts',
  'apps/ext-webhook-host/src/code/a-new-folder/things.ts',
];

const USERS_SERVICE = 'apps/auth-gateway/src/organisation/users/users.service.ts';
const INJECTING = `
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { SessionsService } from '../../identity/sessions/sessions.service.js';

interface Ends { endSession(id: string): Promise<unknown> }

@Injectable()
export class Needless {
  constructor(
    @Inject(SessionsService) private readonly sessions: SessionsService, // refused
    @Inject(SessionsService) plain: SessionsService, // refused
    @Inject(CONFIG) readonly config: Config,
    @Inject(SessionsService) readonly ends: Ends,
    @Inject(SessionsService) readonly part: Pick<SessionsService, 'endSession'>,
    @Inject(SessionsService) readonly one: SessionsService | null,
    readonly bare: SessionsService,
  ) {}
}

/** It has no metadata but for @Inject. */
export class WithoutDecorator {
  constructor(@Inject(SessionsService) readonly sessions: SessionsService) {}
}
`;

const TENANTS_SERVICE = 'apps/auth-gateway/src/organisation/tenants/tenants.service.ts';
const READING = `
import { columns, queryPrepared, TenantData } from '@platform/persistence'; // refused
import { Client } from 'pg'; // refused
import type { DataSource, EntityManager, QueryRunner, Repository } from 'typeorm';
import { User } from '../../identity/accounts/user.entity.js';

const COLUMNS = columns(User, ['id']);

export async function all(db: DataSource, em: EntityManager, runner: QueryRunner, rows: Repository<object>, name: string) {
  await em.query(\`SELECT \${COLUMNS} FROM users\`); // refused
  await em.query(\`SELECT \${COLUMNS}\`); // refused
  await em.query(COLUMNS); // refused
  await db.query('SELECT * FROM users'); // refused
  await db.manager.query('SELECT * FROM users'); // refused
  await em.query(\`SELECT * FROM \${name}\`); // refused
  await em['query']('SELECT * FROM users'); // refused
  await em.find(name); // refused
  await em.createQueryBuilder().getMany(); // refused
  await db.getRepository(name).find(); // refused
  await rows.find(); // refused
  await runner.query('SELECT * FROM users'); // refused
  const { query } = em; // refused
  await query.call(em, 'SELECT * FROM users');
  const run = em.query.bind(em); // refused
  await run('SELECT * FROM users');
  await (name ? db : em).query('SELECT * FROM users'); // refused
  await em.query('SELECT pg_advisory_xact_lock(1)');
  await em.query("SELECT 1 WHERE 'a' IN (SELECT name FROM users)"); // refused
  await db.transaction((inner) => inner.query('SELECT * FROM users')); // refused
  await new TenantData(db.manager, name).query('SELECT * FROM users WHERE tenant_id = $tenant');
  await new TenantData(db.manager, name).query(\`SELECT \${COLUMNS} FROM users WHERE tenant_id = $tenant\`);
  const { manager } = db;
  await db.transaction((inner) => new TenantData(inner, name).query('SELECT * FROM users WHERE tenant_id = $tenant'));
  return [queryPrepared, Client, manager];
}
`;

const IS_ON_FOR = {
  [TENANTS_SERVICE]: true,
  'apps/auth-gateway/src/a-feature/still-to-come/things.service.ts': true,
  'apps/auth-gateway/src/identity/sessions/signed-in-users.service.ts': false,
  'apps/auth-gateway/src/organisation/tenants/tenants.spec.ts': false,
};

/** Lints all samples at once, because loading the configuration and the types takes longest. */
let outcomes: Record<'groups' | 'inject' | 'tenantData', Outcome>;
beforeAll(async () => {
  const inNoGroup = IN_NO_GROUP.map((path): [string, string] => [path, 'export const things = 1;']);
  outcomes = await lintSamples({
    groups: { rule: 'platform/folder-groups', samples: { ...IMPORTS, ...Object.fromEntries(inNoGroup) } },
    inject: { rule: 'platform/needless-inject', samples: { [USERS_SERVICE]: INJECTING }, typed: true },
    tenantData: {
      rule: 'platform/tenant-data-only',
      samples: { [TENANTS_SERVICE]: READING },
      typed: true,
      asked: Object.keys(IS_ON_FOR),
    },
  });
}, 90_000);

/** Lines of the rule's messages, in order. Expects that the sample could be parsed. */
function refusedLines(messages: LintMessage[] = [], rule: string): number[] {
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  const refused = messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => line);
  return refused.sort((one, other) => one - other);
}

const marked = (text: string): number[] =>
  text.split('\n').flatMap((line, at) => (line.includes('// refused') ? [at + 1] : []));

describe('platform/folder-groups', () => {
  const RULE = 'platform/folder-groups';

  it('refuses values of later groups however they are imported, and nothing else', () => {
    const { messages } = outcomes.groups;
    for (const [path, text] of Object.entries(IMPORTS)) {
      expect([path, [...new Set(refusedLines(messages[path], RULE))]]).toEqual([path, marked(text)]);
    }
    expect(Object.values(messages).flatMap((ofFile) => ofFile.map(({ message }) => message))).toEqual(
      expect.arrayContaining([
        expect.stringContaining(
          '`organisation` may not import `extensions`, which does not come before it. Import only a type, ',
        ),
        expect.stringContaining('`organisation` may not import `seed`, '),
        expect.stringContaining('`config` may not import `kernel`, '),
        expect.stringContaining('`steps` may not import `code`, '),
        expect.stringContaining('`code/process` may not import `code/host`, '),
      ]),
    );
    for (const path of IN_NO_GROUP)
      expect([path, messages[path]]).toMatchObject([path, [{ ruleId: RULE, messageId: 'nowhere' }]]);
  });
});

describe('platform/needless-inject', () => {
  it('refuses @Inject where the type of the parameter says the same, and nowhere else', () => {
    expect(refusedLines(outcomes.inject.messages[USERS_SERVICE], 'platform/needless-inject')).toEqual(
      marked(INJECTING),
    );
  });
});

describe('platform/tenant-data-only', () => {
  it('refuses every way around TenantData and nothing else, in new features too', () => {
    const refused = refusedLines(outcomes.tenantData.messages[TENANTS_SERVICE], 'platform/tenant-data-only');
    expect([...new Set(refused)]).toEqual(marked(READING));
    expect(outcomes.tenantData.isOnFor).toEqual(IS_ON_FOR);
  });
});
