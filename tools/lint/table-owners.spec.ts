import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Access } from './table-owners.mjs';

interface Service {
  /**
   * Folders that change tables without an entity, and folders with their entity in a subfolder,
   * because other code reads it.
   */
  writers: Record<string, string>;
  /**
   * Exceptions by table: other files that change it, and the reason. `?` is a computed table name.
   */
  exceptions: Record<string, { why: string; files: string[] }>;
}

/** Reason why the gateway deletes rows of billing. */
const OF_BILLING = 'When a user is erased: erasures are the gateway’s, and libs/billing does not know of them.';

const SERVICES: Record<string, Service> = {
  'apps/auth-gateway/src': {
    writers: {
      agencies: 'organisation/agencies',
      app_listings: 'extensions/installs',
      app_prices: 'apps/prices',
      audit_entries: 'kernel/audit',
      audit_seals: 'organisation/audit',
      automation_fires: 'automations/firing',
      automation_rules: 'automations',
      deploys: 'apps/deploys',
      install_feed: 'extensions/installs',
      platform_events: 'kernel/events',
      retired_app_ids: 'apps/own-apps',
      roles: 'organisation/roles',
      tenants: 'organisation/tenants',
      webhook_endpoint_cursors: 'extensions/events/webhook-endpoints',
      webhook_endpoint_deliveries: 'extensions/events/webhook-endpoints',
      webhook_endpoints: 'extensions/events/webhook-endpoints',
    },
    exceptions: {
      '?': {
        why: 'They run what features registered.',
        files: ['kernel/account-deletion/account-deletion.service.ts', 'kernel/sealing/sealed-column.ts'],
      },
      webhook_endpoint_deliveries: {
        why: 'The entity stands below, where those who post and those who give out find it; what expires and is erased is registered with the routes.',
        files: ['extensions/events/webhook-endpoints/endpoint-deliveries.service.ts'],
      },
      auto_topup_consents: { why: OF_BILLING, files: ['billing/payments/auto-topup/user-auto-topups.service.ts'] },
      auto_topups: { why: OF_BILLING, files: ['billing/payments/auto-topup/user-auto-topups.service.ts'] },
      payment_refunds: { why: OF_BILLING, files: ['billing/payments/refunds/payment-refunds.service.ts'] },
      app_versions: {
        why: 'A version is stored and served by deploys, and narrowed by its developer, each with what else the statement or transaction changes.',
        files: [
          'apps/deploys/saga/deploy-states.service.ts',
          'apps/deploys/versions/development-versions.service.ts',
          'apps/deploys/versions/versions.ts',
          'apps/own-apps/app-updates.service.ts',
        ],
      },
      apps: {
        why: 'Developers change an app, deploys what it serves, and the platform its own apps.',
        files: [
          'apps/deploys/manifest-sync.service.ts',
          'apps/deploys/saga/deploy-completion.service.ts',
          'apps/deploys/saga/deploy-states.service.ts',
          'apps/deploys/versions/versions.ts',
          'apps/own-apps/app-deletions.service.ts',
          'apps/own-apps/app-updates.service.ts',
          'apps/own-apps/apps.service.ts',
          'apps/prices/sync-prices.ts',
          'extensions/system-apps/system-apps.worker.ts',
        ],
      },
      login_throttles: {
        why: 'A sign-in is one statement, which is measured.',
        files: ['identity/sessions/sessions.service.ts'],
      },
      sign_in_records: {
        why: 'A sign-in is one statement, which is measured.',
        files: ['identity/sessions/sessions.service.ts'],
      },
      spending_limits: { why: OF_BILLING, files: ['billing/spending/user-spending.service.ts'] },
      tenants: { why: 'Makes the first tenant of a new platform.', files: ['seed.ts'] },
      usage_counters: { why: OF_BILLING, files: ['billing/plans/plan-upkeep.worker.ts'] },
      users: {
        why: 'Each feature changes columns of its own, in a guarded statement.',
        files: [
          'identity/login/login.service.ts',
          'identity/me/cases-uids.service.ts',
          'identity/me/my-settings.service.ts',
          'identity/nicknames/nicknames.service.ts',
          'identity/password-changes/password-changes.service.ts',
          'identity/provisioning/provisioning.service.ts',
          'identity/registration/create-account.ts',
          'identity/sessions/sessions.service.ts',
          'organisation/roles/roles.service.ts',
          'organisation/users/users.service.ts',
        ],
      },
    },
  },
  'apps/registry/src': { writers: {}, exceptions: {} },
  'apps/ext-webhook-host/src': {
    writers: {},
    exceptions: {
      events: {
        why: 'Events expire once no delivery of them is left, which their own folder does not know.',
        files: ['events/event-deliveries.service.ts'],
      },
    },
  },
  'apps/panel/src': { writers: {}, exceptions: {} },
  'libs/billing/src': {
    writers: {},
    exceptions: {
      payments: {
        why: 'A renewal of a plan that has expired begins a subscription, and pays its first period from then on.',
        files: ['plans/paid-subscriptions.service.ts'],
      },
    },
  },
};

const ENTITY = "@Entity('notes') export class Note {} @Entity('tags') export class Tag {}";

/** Statements of a file in another folder, and their tables. */
const FOREIGN: Record<string, string[]> = {
  "em.query('INSERT INTO notes (id) VALUES ($1)');": ['notes'],
  "em.query('insert'); em.query('DELETE FROM notes WHERE id = $1');": ['notes'],
  "em.query('UPDATE notes SET id = 1');": ['notes'],
  "em.query('UPDATE notes AS n SET id = 1'); em.query('UPDATE ONLY notes n SET id = 1');": ['notes', 'notes'],
  'em.query(\'UPDATE "gateway"."notes" SET id = 1\');': ['notes'],
  "em.query('TRUNCATE notes'); em.query('MERGE INTO notes USING tags ON true');": ['notes', 'notes'],
  'em.query(`WITH a AS (SELECT 1), gone AS (DELETE FROM notes RETURNING id) INSERT INTO tags SELECT ${x} FROM gone`);':
    ['notes', 'tags'],
  'em.query(`UPDATE notes n SET ${column} = 1`);': ['notes'],
  'em.query(`DELETE FROM ${table}`);': ['?'],
  'em.query(`UPDATE ${table} SET id = 1`);': ['?'],
  "em.query('DELETE FROM others');": ['others'],
  'em.insert(Note, {}); em.update(Note, {}, {}); em.delete(Note, {}); em.save(em.create(Note, {}));': [
    'notes',
    'notes',
    'notes',
    'notes',
  ],
  'em.getRepository(Tag); em.createQueryBuilder().insert().into(Note);': ['tags', 'notes'],
  "accountDeletion.addDataStep(rowsOfUser('notes', 'tags'));": ['notes', 'tags'],
  "retention.registerExpiredRows({ table: 'notes', key: 'id', where: 'true' });": ['notes'],
  "em.query('SELECT id FROM notes n JOIN tags t ON true FOR UPDATE OF n');": [],
  "em.query('SELECT id FROM notes FOR NO KEY UPDATE'); em.find(Note); map.delete(note);": [],
  "em.query('INSERT INTO logs (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1');": ['logs'],
};

const SCRIPT = `
  import { foreignAccesses } from './tools/lint/table-owners.mjs';
  console.log(JSON.stringify(JSON.parse(process.argv[1]).map(([root, writers]) => foreignAccesses(root, writers))));
`;

let samples: string;
let found: Map<string, Access[]>;
const folderOf = (text: string): string => join(samples, String(Object.keys(FOREIGN).indexOf(text)));

beforeAll(async () => {
  samples = await mkdtemp(join(tmpdir(), 'table-owners-'));
  for (const text of Object.keys(FOREIGN)) {
    const files = {
      'notes/note.entity.ts': ENTITY,
      'notes/notes.ts': text.replaceAll('others', 'notes').replaceAll('${table}', 'notes').replaceAll('logs', 'notes'),
      'notes/below/notes.ts': "em.query('DELETE FROM notes');",
      'notes-too/notes.ts': text,
      ...Object.fromEntries(
        [
          'notes-too/notes.spec.ts',
          'migrations/1-notes.ts',
          'notes-too/migrations/1.ts',
          'testing/a.ts',
          'notes-too/notes.content.ts',
        ].map((a) => [a, text]),
      ),
    };
    for (const [path, content] of Object.entries(files)) {
      const file = join(folderOf(text), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }
  const asked = [
    ...Object.entries(SERVICES).map(([root, { writers }]) => [root, writers] as const),
    ...Object.keys(FOREIGN).map((text) => [folderOf(text), {}] as const),
    [folderOf(Object.keys(FOREIGN)[0] as string) + '/.', { notes: 'notes-too' }] as const,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    SCRIPT,
    JSON.stringify(asked),
  ]);
  const answers = JSON.parse(stdout) as Access[][];
  found = new Map(asked.map(([root], at) => [root, answers[at] ?? []]));
});
afterAll(() => rm(samples, { recursive: true, force: true }));

describe.each(Object.entries(SERVICES))('%s', (root, { exceptions }) => {
  const isExcepted = ({ table, file }: Access): boolean => exceptions[table]?.files.includes(file) ?? false;

  it('a table is changed, and its rows registered, in the folder of its entity only', () => {
    const others = found.get(root)?.filter((access) => !isExcepted(access));
    expect(others?.map(({ file, line, table, how }) => `${file}:${line} ${how} ${table}`)).toEqual([]);
  });

  it('each exception is needed', () => {
    const needed = new Set(found.get(root)?.map(({ table, file }) => `${table} in ${file}`));
    const listed = Object.entries(exceptions).flatMap(([table, { files }]) =>
      files.map((file) => `${table} in ${file}`),
    );
    expect(listed.filter((one) => !needed.has(one))).toEqual([]);
  });
});

it.each(Object.entries(FOREIGN))('%s', (text, tables) => {
  const accesses = found.get(folderOf(text)) ?? [];
  expect(accesses.map(({ table }) => table).sort()).toEqual([...tables].sort());
  expect(new Set(accesses.map(({ file }) => file))).toEqual(new Set(tables.length ? ['notes-too/notes.ts'] : []));
});

it('another folder than that of the entity may be the one that changes a table', () => {
  const accesses = found.get(`${folderOf(Object.keys(FOREIGN)[0] as string)}/.`) ?? [];
  expect([...new Set(accesses.map(({ file }) => file))]).toEqual(['notes/below/notes.ts', 'notes/notes.ts']);
});
