import { createDataSource, migrate } from '@platform/persistence';
import { newId, parseKeyring, type Keyring } from '@platform/platform';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { database } from '../../database.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { AuditAnchorsStore } from './audit-anchors.store.js';
import { setAuditKeyring } from '../../kernel/audit/audit-keys.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditSealWorker } from './audit-seal.worker.js';
import { findAuditWeaknesses, protectAudit } from './protect-audit.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { verifyAudit, type AuditVerdict } from './verify-audit.js';

const [K1, K2] = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [string, string];
const folder = mkdtempSync(join(tmpdir(), 'anchors-'));
const anchor = join(folder, 'audit-anchors.jsonl');

let gateway: GatewayTest;
let dataSource: DataSource;
beforeAll(async () => {
  gateway = await GatewayTest.start({ AUDIT_ANCHOR_FILE: anchor, SECRET_KEYS: K1 });
  dataSource = gateway.service.app.get(DataSource);
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

/** Changes rows as a superuser of the database, without the keys and the anchor. */
async function behindTheBack(...statements: string[]): Promise<void> {
  await dataSource.transaction(async (em) => {
    await em.query("SET LOCAL session_replication_role = 'replica'");
    await em.query('SET LOCAL search_path = gateway_audit');
    for (const statement of statements) await em.query(statement);
  });
}

/**
 * Links the chain of a tenant again, as an attacker with the source code could: entries by time
 * without a gap, and the head.
 */
const rechain = (tenant: string) => `DO $$
  DECLARE
    entry audit_entries;
    at bigint := 0;
    last bytea := '';
  BEGIN
    CREATE TEMP TABLE ranked ON COMMIT DROP AS
      SELECT e.id, row_number() OVER (ORDER BY coalesce(c.sequence, 1000000), e.id) AS n FROM audit_entries e
      LEFT JOIN audit_chain c ON c.entry_id = e.id AND c.tenant_id = e.tenant_id WHERE e.tenant_id = '${tenant}';
    DELETE FROM audit_chain WHERE tenant_id = '${tenant}';
    FOR entry IN SELECT e.* FROM audit_entries e JOIN ranked r ON r.id = e.id ORDER BY r.n LOOP
      at := at + 1;
      last := audit_hash(last, entry);
      INSERT INTO audit_chain VALUES ('${tenant}', at, entry.id, entry.created_at, last);
    END LOOP;
    UPDATE audit_heads SET sequence = at, hash = last WHERE tenant_id = '${tenant}';
    DROP TABLE ranked;
  END $$`;

const write = (tenantId: string, target: string, source = dataSource) =>
  source.transaction((em) =>
    recordAudit(em, {
      action: 'user.updated',
      target: { type: 'user', id: target },
      tenantId,
      before: { z: 1, a: [1.5, 1e21, 'é\u2028'], at: new Date(0) },
      after: { b: { d: 1, c: null } },
      metadata: { reason: 'a reason', gone: undefined },
    }),
  );
const SILENT = { info: () => undefined, debug: () => undefined, error: () => undefined };
const newTenant = () => newId('ten').toLowerCase();
/** A tenant with entries `one` to `five`. */
async function tenantWithEntries(): Promise<string> {
  const tenant = newTenant();
  for (const target of ['one', 'two', 'three', 'four', 'five']) await write(tenant, target);
  return tenant;
}

const seal = () => gateway.service.app.get(AuditSealWorker).sealer.sealAllTenants();
const keys = (): Keyring => gateway.service.app.get<Config>(CONFIG).SECRET_KEYS;
async function verdictOf(
  tenant: string,
  keyring = keys(),
  anchors = [anchor],
): Promise<Pick<AuditVerdict, 'problems' | 'notes'>> {
  const { problems, notes } = await verifyAudit(dataSource, { keyring, anchors });
  const own = (lines: string[]) =>
    lines.filter((line) => line.startsWith(`${tenant}: `)).map((line) => line.slice(tenant.length + 2));
  return { problems: own(problems), notes: own(notes) };
}
const problemsOf = async (tenant: string) => (await verdictOf(tenant)).problems;
const is = (target: string, tenant: string) => `tenant_id = '${tenant}' AND target_id = '${target}'`;

describe('a log that nobody touched', () => {
  it('holds, sealed or not, whatever its entries say', async () => {
    const tenant = await tenantWithEntries();
    expect(await verdictOf(tenant)).toEqual({
      problems: [],
      notes: [expect.stringMatching(/^5 entries are not sealed yet/)],
    });
    await seal();
    expect(await verdictOf(tenant)).toEqual({ problems: [], notes: [] });
    await write(tenant, 'six');
    await seal();
    await seal();
    expect(await verdictOf(tenant)).toEqual({ problems: [], notes: [] });
    const seals = await dataSource.query(
      'SELECT number::int, sequence::int FROM gateway_audit.audit_seals WHERE tenant_id = $1 ORDER BY 1',
      [tenant],
    );
    expect(seals).toEqual([
      { number: 1, sequence: 5 },
      { number: 2, sequence: 6 },
    ]);
  });

  it('is written and sealed by two processes at once, 60 entries wide, without a gap', async () => {
    const other = await gateway.startSecondProcess();
    const tenant = newTenant();
    const sources = [dataSource, other.app.get(DataSource)];
    const sealers = [gateway.service.app, other.app].map((app) => app.get(AuditSealWorker).sealer);
    const writing = Array.from({ length: 60 }, (_value, at) => write(tenant, `race-${at}`, sources[at % 2]));
    const sealing = Array.from({ length: 10 }, (_value, at) => sealers[at % 2]?.sealAllTenants());
    await Promise.all([...writing, ...sealing]);
    await Promise.all(sealers.map((sealer) => sealer.sealAllTenants()));
    const [chain] = await dataSource.query<{ links: number; last: number }[]>(
      'SELECT count(*)::int AS links, max(sequence)::int AS last FROM gateway_audit.audit_chain WHERE tenant_id = $1',
      [tenant],
    );
    expect(chain).toEqual({ links: 60, last: 60 });
    expect(await verdictOf(tenant)).toEqual({ problems: [], notes: [] });
    await other.stop();
  });
});

describe('who can write to the database and links the chain anew', () => {
  const cases: [string, (tenant: string) => string[], RegExp][] = [
    [
      'changes an entry',
      (t) => [`UPDATE audit_entries SET actor_id = 'somebody' WHERE ${is('two', t)}`],
      /\(link 2\) was not written by the gateway/,
    ],
    [
      'changes what was before',
      (t) => [`UPDATE audit_entries SET before_state = '{}' WHERE ${is('three', t)}`],
      /\(link 3\) was not written by the gateway/,
    ],
    [
      'removes the first entry',
      (t) => [`DELETE FROM audit_entries WHERE ${is('one', t)}`],
      /seal 1, at link 5, does not match the chain: entries from link 1 up to it/,
    ],
    [
      'removes one in the middle',
      (t) => [`DELETE FROM audit_entries WHERE ${is('three', t)}`],
      /seal 1, at link 5, does not match the chain/,
    ],
    [
      'puts two in another order',
      (t) => [
        `UPDATE audit_chain SET sequence = -sequence WHERE tenant_id = '${t}' AND sequence IN (2, 3)`,
        `UPDATE audit_chain SET sequence = 5 + sequence WHERE tenant_id = '${t}' AND sequence < 0`,
      ],
      /seal 1, at link 5, does not match the chain/,
    ],
    [
      'changes the time of one',
      (t) => [`UPDATE audit_entries SET created_at = created_at - interval '1 second' WHERE ${is('two', t)}`],
      /does not match the chain/,
    ],
    ['makes one up', (t) => [insertForged(t, "'k1'", "'made-up'")], /\(link 6\) was not written by the gateway/],
    [
      'makes one up without a MAC',
      (t) => [insertForged(t, 'NULL', 'NULL')],
      /\(link 6\) was not written by the gateway/,
    ],
    [
      'takes the MAC of another',
      (t) => [insertForged(t, "'k1'", `(SELECT mac FROM audit_entries WHERE ${is('one', t)})`)],
      /\(link 6\) was not written by the gateway/,
    ],
    [
      'takes away the key of one',
      (t) => [`UPDATE audit_entries SET key_id = NULL, mac = NULL WHERE ${is('four', t)}`],
      /\(link 4\) was not written by the gateway/,
    ],
    [
      'cuts the end off',
      (t) => [`DELETE FROM audit_entries WHERE ${is('five', t)}`],
      /seal 1, at link 5, does not match the chain/,
    ],
    [
      'cuts the end off with its seal',
      (t) => [`DELETE FROM audit_entries WHERE ${is('five', t)}`, `DELETE FROM audit_seals WHERE tenant_id = '${t}'`],
      /seal 1, at link 5, has an anchor but is missing, and so are the entries from link 5 on/,
    ],
    [
      'removes the seals',
      (t) => [`DELETE FROM audit_seals WHERE tenant_id = '${t}'`],
      /seal 1, at link 5, has an anchor but is missing$/,
    ],
    [
      'changes a seal',
      (t) => [`UPDATE audit_seals SET rejected = 5 WHERE tenant_id = '${t}'`],
      /seal 1, at link 5, was not made by the gateway/,
    ],
  ];

  it.each(cases)('%s, and it shows', async (_what, statements, problem) => {
    const tenant = await tenantWithEntries();
    await seal();
    expect(await problemsOf(tenant)).toEqual([]);
    await behindTheBack(...statements(tenant), rechain(tenant));
    expect((await problemsOf(tenant))[0]).toMatch(problem);
    // Later seals do not hide the change.
    await write(tenant, 'later');
    await seal();
    expect((await problemsOf(tenant)).length).toBeGreaterThan(0);
  });

  it('removes a whole tenant, and it shows', async () => {
    const tenant = await tenantWithEntries();
    await seal();
    const tables = ['audit_entries', 'audit_chain', 'audit_heads', 'audit_seals'];
    await behindTheBack(...tables.map((table) => `DELETE FROM ${table} WHERE tenant_id = '${tenant}'`));
    expect(await problemsOf(tenant)).toEqual(['all entries from link 1 on are missing; the anchor covers 5']);
  });

  it('cuts the end and its seals off, and the gateway writes and seals on: the anchor tells', async () => {
    const tenant = await tenantWithEntries();
    await seal();
    await behindTheBack(
      `DELETE FROM audit_entries WHERE ${is('five', tenant)}`,
      `DELETE FROM audit_seals WHERE tenant_id = '${tenant}'`,
      rechain(tenant),
    );
    for (const target of ['other', 'another']) await write(tenant, target);
    await seal();
    expect(await problemsOf(tenant)).toEqual([
      'seal 1, at link 6, differs from its anchor: entries from link 1 on may have been replaced',
    ]);
  });

  it('moves a genuine entry to another tenant, and it shows', async () => {
    const [tenant, other] = [await tenantWithEntries(), await tenantWithEntries()];
    await behindTheBack(
      `UPDATE audit_entries SET tenant_id = '${other}' WHERE ${is('two', tenant)}`,
      rechain(tenant),
      rechain(other),
    );
    await seal();
    expect(await problemsOf(other)).toContainEqual(expect.stringMatching(/\(link 6\) was not written by the gateway/));
  });

  it('has a genuine entry said again at another time: the database refuses it, and without its index it shows', async () => {
    const tenant = await tenantWithEntries();
    const columns =
      'id, tenant_id, actor_type, actor_id, action, target_type, target_id, before_state, after_state, metadata, key_id, mac';
    const again = `INSERT INTO gateway_audit.audit_entries (created_at, ${columns})
      SELECT created_at + interval '3 days', ${columns} FROM gateway_audit.audit_entries WHERE ${is('two', tenant)}`;
    await expect(dataSource.query(again)).rejects.toMatchObject({
      driverError: { code: '23505', constraint: 'audit_chain_entry_key' },
    });
    await dataSource.query('DROP INDEX gateway_audit.audit_chain_entry_key');
    await dataSource.query(again);
    await seal();
    const problems = await problemsOf(tenant);
    await behindTheBack(`DELETE FROM audit_chain WHERE tenant_id = '${tenant}'`);
    await dataSource.query('CREATE UNIQUE INDEX audit_chain_entry_key ON gateway_audit.audit_chain (entry_id)');
    expect(problems).toContainEqual(expect.stringMatching(/\(link 6\) is in the chain more than once/));
    expect(problems).toContainEqual(expect.stringMatching(/were not written by the gateway when it sealed them/));
  });

  it('is faster than the seal: what is changed is found when it is sealed, in the log of the gateway and for good', async () => {
    const tenant = await tenantWithEntries();
    await behindTheBack(`UPDATE audit_entries SET action = 'nothing' WHERE ${is('three', tenant)}`, rechain(tenant));
    await seal();
    const line = gateway.service.logLines.find((text) => text.includes(tenant) && text.includes('"rejected":1'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', first: 3 });
    expect(await problemsOf(tenant)).toEqual([
      expect.stringMatching(/\(link 3\) was not written by the gateway/),
      expect.stringMatching(/^1 entries or seals were not written by the gateway/),
    ]);
    await behindTheBack(
      `UPDATE audit_entries SET action = 'user.updated' WHERE ${is('three', tenant)}`,
      rechain(tenant),
    );
    expect((await problemsOf(tenant)).length).toBeGreaterThan(0);
  });
});

const insertForged = (tenant: string, keyId: string, mac: string) =>
  `INSERT INTO audit_entries (id, tenant_id, actor_type, actor_id, action, target_type, target_id, key_id, mac)
   VALUES ('${newId('aud')}', '${tenant}', 'user', 'usr_x', 'user.updated', 'user', 'one', ${keyId}, ${mac})`;

describe('the anchor', () => {
  it('has a line for each seal, the MAC of which nobody makes up', async () => {
    const tenant = await tenantWithEntries();
    await seal();
    const lines = readFileSync(anchor, 'utf8')
      .trim()
      .split('\n')
      .filter((line) => line.includes(tenant));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { tenant_id: tenant, number: 1, sequence: 5, key_id: 'k1' },
    ]);
    const forged = join(folder, 'forged.jsonl');
    writeFileSync(forged, `${(lines[0] as string).replace('"sequence":5', '"sequence":9')}\n`);
    expect((await verdictOf(tenant, keys(), [forged])).problems).toEqual([
      `line 1 of ${forged} was not written by the gateway`,
    ]);
  });

  it('may be a log of the gateway, and is missed when it is gone', async () => {
    const tenant = await tenantWithEntries();
    const other = await gateway.startSecondProcess({ AUDIT_ANCHOR_FILE: '' });
    await other.app.get(AuditSealWorker).sealer.sealAllTenants();
    const log = join(folder, 'gateway.log');
    for (const line of other.logLines) appendFileSync(log, line);
    await other.stop();
    expect((await verdictOf(tenant, keys(), [log])).problems).toEqual([]);
    await behindTheBack(`DELETE FROM audit_seals WHERE tenant_id = '${tenant}'`);
    expect((await verdictOf(tenant, keys(), [log])).problems).toEqual([
      'seal 1, at link 5, has an anchor but is missing',
    ]);
    const nowhere = join(folder, 'nowhere.jsonl');
    const { problems } = await verifyAudit(dataSource, { keyring: keys(), anchors: [nowhere] });
    expect(problems).toContain(`No anchor found in ${nowhere}.`);
  });

  it('gets what it lacks: when it could not be written, and when a process starts', async () => {
    const tenant = await tenantWithEntries();
    const other = await gateway.startSecondProcess({ AUDIT_ANCHOR_FILE: folder });
    await other.app.get(AuditSealWorker).sealer.sealAllTenants();
    await other.stop();
    expect(readFileSync(anchor, 'utf8')).not.toContain(tenant);
    await gateway.service.app.get(AuditSealWorker).sealer.anchorAllTenants();
    expect(readFileSync(anchor, 'utf8')).toContain(tenant);
  });
});

describe('when SECRET_KEYS changes', () => {
  it('the log goes on under the new key, which vouches for what the old one made when that is gone', async () => {
    const tenant = await tenantWithEntries();
    await seal();
    const next = await gateway.startSecondProcess({ SECRET_KEYS: `${K2},${K1}` });
    await write(tenant, 'six', next.app.get(DataSource));
    await next.app.get(AuditSealWorker).sealer.sealAllTenants();
    await next.stop();
    const [seals] = await dataSource.query<{ keys: string[] }[]>(
      'SELECT array_agg(key_id ORDER BY number) AS keys FROM gateway_audit.audit_seals WHERE tenant_id = $1',
      [tenant],
    );
    expect(seals?.keys).toEqual(['k1', 'k2']);
    expect(await verdictOf(tenant, parseKeyring(`${K2},${K1}`))).toEqual({ problems: [], notes: [] });
    expect(await verdictOf(tenant, parseKeyring(K2))).toEqual({
      problems: [],
      notes: [
        expect.stringMatching(
          /^the MACs of some entries or seals from link 1 on cannot be checked: the key "k1" is not/,
        ),
      ],
    });
    expect((await verifyAudit(dataSource, { keyring: parseKeyring(`${K2},${K1}`) })).unknownKey).toBe(0);
    expect((await verifyAudit(dataSource, { keyring: parseKeyring(K2) })).unknownKey).toBeGreaterThanOrEqual(5);
    await behindTheBack(`UPDATE audit_entries SET actor_id = 'x' WHERE ${is('two', tenant)}`, rechain(tenant));
    expect((await verdictOf(tenant, parseKeyring(K2))).problems[0]).toMatch(/does not match the chain/);
  });

  it('what is quiet is sealed with the new key as well, and nothing passes under a key that there is not', async () => {
    const tenant = await tenantWithEntries();
    await seal();
    const next = await gateway.startSecondProcess({ SECRET_KEYS: `${K2},${K1}` });
    const { sealer } = next.app.get(AuditSealWorker);
    await sealer.sealAllTenants();
    expect((await verdictOf(tenant, parseKeyring(K2))).problems).toEqual([]);
    await dataSource.query(insertForged(tenant, "'k9'", "'x'").replace('INTO ', 'INTO gateway_audit.'));
    await sealer.sealAllTenants();
    await next.stop();
    expect((await verdictOf(tenant, parseKeyring(`${K2},${K1}`))).problems).toEqual([
      expect.stringMatching(/^1 entries or seals were not written by the gateway/),
    ]);
  });
});

it('an entry without a MAC is not accepted, not even as the first one and with a time in the past', async () => {
  const tenant = newTenant();
  await dataSource.query(
    `INSERT INTO gateway_audit.audit_entries (id, tenant_id, actor_type, actor_id, action, target_type, target_id, created_at)
     VALUES ($1, $2, 'user', 'usr_x', 'user.updated', 'user', 'one', now() - interval '2 days')`,
    [newId('aud'), tenant],
  );
  await seal();
  expect((await problemsOf(tenant))[0]).toMatch(/\(link 1\) was not written by the gateway/);
});

describe('the role of the services', () => {
  const role = `app_${randomBytes(6).toString('hex')}`;
  let client: Client;
  beforeAll(async () => {
    await dataSource.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT USAGE ON SCHEMA gateway TO ${role}`);
    await dataSource.query(`GRANT ALL ON ALL TABLES IN SCHEMA gateway_audit TO ${role}`);
    expect(await protectAudit(dataSource, [role])).toEqual({
      isProtected: true,
      writers: expect.arrayContaining([role]),
    });
    const url = new URL(gateway.service.env['DATABASE_URL'] as string);
    [url.username, url.password] = [role, 'x'];
    client = new Client(url.href);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await dataSource.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('appends', async () => {
    const tenant = newTenant();
    await client.query(insertForged(tenant, 'NULL', 'NULL').replace('INTO ', 'INTO gateway_audit.'));
    expect(
      (await client.query('SELECT sequence FROM gateway_audit.audit_heads WHERE tenant_id = $1', [tenant])).rows,
    ).toEqual([{ sequence: '1' }]);
    await client.query('SELECT gateway_audit.audit_create_partitions(4)');
  });

  it.each([
    "UPDATE gateway_audit.audit_entries SET action = 'x'",
    'DELETE FROM gateway_audit.audit_entries',
    'TRUNCATE gateway_audit.audit_entries',
    'DROP TABLE gateway_audit.audit_entries',
    'DROP SCHEMA gateway_audit CASCADE',
    'ALTER TABLE gateway_audit.audit_entries DISABLE TRIGGER ALL',
    'ALTER TABLE gateway_audit.audit_entries_default DISABLE TRIGGER ALL',
    'ALTER TABLE gateway_audit.audit_entries DETACH PARTITION gateway_audit.audit_entries_default',
    'DELETE FROM gateway_audit.audit_entries_default',
    'ALTER TABLE gateway_audit.audit_chain OWNER TO CURRENT_USER',
    "INSERT INTO gateway_audit.audit_chain VALUES ('x', 1, 'x', now(), 'x')",
    'DELETE FROM gateway_audit.audit_chain',
    'UPDATE gateway_audit.audit_heads SET sequence = 0',
    "INSERT INTO gateway_audit.audit_heads VALUES ('x', 1, 'x')",
    'DELETE FROM gateway_audit.audit_seals',
    'CREATE OR REPLACE FUNCTION gateway_audit.audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'CREATE TEMP TABLE t (tenant_id text, id text, created_at timestamptz); CREATE TRIGGER t BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION gateway_audit.audit_link()',
    "SET session_replication_role = 'replica'",
    'SET ROLE platform_audit',
    'GRANT platform_audit TO CURRENT_USER',
  ])('may not %s', async (statement) => {
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('is not made up: a name that there is not is refused, and nothing is changed', async () => {
    const before = await protectAudit(dataSource);
    await expect(protectAudit(dataSource, [role, `${role}c`])).rejects.toThrow(`There is no role "${role}c".`);
    expect(await protectAudit(dataSource)).toEqual(before);
  });

  it('may run no function that a restore without privileges gave to everybody', async () => {
    const functions = `FROM pg_proc p WHERE pronamespace = 'gateway_audit'::regnamespace AND has_function_privilege('public', p.oid, 'EXECUTE')`;
    await dataSource.query('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA gateway_audit TO PUBLIC');
    await protectAudit(dataSource, [role]);
    expect(await dataSource.query(`SELECT proname ${functions}`)).toEqual([{ proname: 'audit_hash' }]);
  });

  it('makes no seal that outruns those of the gateway', async () => {
    const tenant = await tenantWithEntries();
    const insert = (number: string, sequence: string) =>
      client.query(
        `INSERT INTO gateway_audit.audit_seals
           (tenant_id, number, sequence, hash, sealed_at, previous, rejected, is_partial, key_id, mac)
         SELECT tenant_id, ${number}, ${sequence}, hash, now(), '', 0, false, 'k1', 'x'
         FROM gateway_audit.audit_heads WHERE tenant_id = '${tenant}'`,
      );
    for (const [number, sequence] of [
      ['9007199254740991', '5'],
      ['1', '4'],
      ['1', '6'],
      ['0', '5'],
    ] as const) {
      expect((await insert(number, sequence)).rowCount).toBe(0);
    }
    expect((await insert('1', '5')).rowCount).toBe(1);
    await write(tenant, 'six');
    await seal();
    const problems = await problemsOf(tenant);
    expect(problems[0]).toBe('seal 1, at link 5, was not made by the gateway');
  });

  it('is told what is missing where it could do more', async () => {
    expect(await findAuditWeaknesses(dataSource)).toEqual([expect.stringMatching(/is a superuser/)]);
    const url = new URL(gateway.service.env['DATABASE_URL'] as string);
    [url.username, url.password] = [role, 'x'];
    const own = await createDataSource(database(url.href, 1)).initialize();
    expect(await findAuditWeaknesses(own)).toEqual([]);
    await own.destroy();
  });
});

describe('a server of which the platform is not the superuser', () => {
  const suffix = randomBytes(6).toString('hex');
  const admin = () => new URL(gateway.service.env['DATABASE_URL'] as string);

  it.each([
    [
      'that may administer platform_audit: the log is handed over',
      'GRANT platform_audit TO $role WITH ADMIN TRUE, INHERIT FALSE, SET FALSE',
      true,
    ],
    ['that may not: everything works, and it is said what is missing', '', false],
  ])('is migrated by a role %s', async (_what, grant, isProtected) => {
    const role = `owner_${suffix}_${String(isProtected)}`;
    await dataSource.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x' NOSUPERUSER`);
    if (grant) await dataSource.query(grant.replace('$role', role));
    await dataSource.query(`CREATE DATABASE ${role} OWNER ${role}`);
    const url = Object.assign(admin(), { username: role, password: 'x', pathname: `/${role}` }).href;
    await migrate(database(url, 3), async (own) => {
      const protection = await protectAudit(own);
      expect(protection).toEqual(
        isProtected ? { isProtected, writers: [role] } : { isProtected, writers: [], reason: expect.any(String) },
      );
    });
    const own = await createDataSource(database(url, 2)).initialize();
    setAuditKeyring(own, keys());
    await write('default', 'one', own);
    const sealer = new AuditSealer(own, keys(), new AuditAnchorsStore('', SILENT), SILENT);
    await sealer.sealAllTenants();
    await own.query('SELECT gateway_audit.audit_create_partitions(4)');
    const { problems, notes } = await verifyAudit(own, { keyring: keys() });
    expect(problems).toEqual([]);
    expect(notes).toContainEqual(
      expect.stringMatching(isProtected ? /can become platform_audit/ : /does not belong to platform_audit/),
    );
    await expect(own.query('DELETE FROM gateway_audit.audit_entries')).rejects.toMatchObject({
      driverError: { code: '42501' },
    });
    const drop = own.query('BEGIN; ALTER TABLE gateway_audit.audit_heads DISABLE TRIGGER ALL; ROLLBACK');
    if (isProtected) await expect(drop).rejects.toMatchObject({ driverError: { code: '42501' } });
    else await drop;
    await own.destroy();
    await dataSource.query(`DROP DATABASE ${role} WITH (FORCE)`);
    if (grant) await dataSource.query(`REVOKE platform_audit FROM ${role}`);
    await dataSource.query(`DROP ROLE ${role}`);
  });
});
