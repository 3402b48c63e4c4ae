import { APP_STATUSES } from '@platform/contracts';
import { sha256 } from '@platform/platform';
import { DataSource } from 'typeorm';
import { appIsRevoked } from '../../apps/reach/revoked-apps.js';
import { createDeveloper, newAppId, tool } from '../../testing/apps.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import {
  APPS_OF_USER,
  refusalOfUser,
  selectEligibility,
  selectEligibilityOfUsers,
  type EligibilityRow,
} from './eligibility-rows.js';
import { RunEligibilityService } from './run-eligibility.service.js';

/** An app, and the conditions that allow or prevent its use by the user. */
interface Case {
  app_id: string;
  status: string;
  stopped_by_platform: boolean;
  owner: 'the platform' | 'the user' | 'another';
  install: 'none' | 'there' | 'removed' | 'of a key that is gone';
  is_disabled: boolean;
  rule: 'none' | 'about others' | 'against the user' | 'against their role';
}

const BOTH = [false, true];
const CASES: readonly Case[] = APP_STATUSES.flatMap((status) =>
  BOTH.flatMap((stopped_by_platform) =>
    (['the platform', 'the user', 'another'] as const).flatMap((owner) =>
      (['none', 'there', 'removed', 'of a key that is gone'] as const).flatMap((install) =>
        BOTH.flatMap((is_disabled) =>
          (['none', 'about others', 'against the user', 'against their role'] as const).map((rule) => {
            return { app_id: newAppId(), status, stopped_by_platform, owner, install, is_disabled, rule };
          }),
        ),
      ),
    ),
  ),
);
const IDS = CASES.map(({ app_id }) => app_id);

let gateway: GatewayTest;
let userId: string;
const query = <Row = unknown>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
beforeAll(async () => {
  gateway = await GatewayTest.start();
  userId = await createDeveloper(gateway);
  const another = await createDeveloper(gateway);
  const cases = JSON.stringify(CASES);
  const SAID = `jsonb_to_recordset($1) AS c (app_id text, status text, stopped_by_platform boolean, owner text, install text, is_disabled boolean, rule text)`;
  await query(
    `INSERT INTO apps (app_id, display_name, system, developer_id)
     SELECT app_id, app_id, owner = 'the platform', CASE owner WHEN 'the user' THEN $2 WHEN 'another' THEN $3 END FROM ${SAID}`,
    [cases, userId, another],
  );
  const manifest = { version: '1.0.0', tools: [tool('list_things')], skeleton_sections: [] };
  await query(
    "INSERT INTO app_versions (app_id, version, sha256, manifest, registry_held_at) SELECT id, '1.0.0', $2, $3, now() FROM unnest($1::text[]) AS id",
    [IDS, sha256('a manifest'), manifest],
  );
  await query(
    `UPDATE apps a SET served_version = '1.0.0', submitted_version = '1.0.0', submitted_at = now(), status = c.status,
       stopped_by_platform = c.stopped_by_platform FROM ${SAID} WHERE c.app_id = a.app_id`,
    [cases],
  );
  await query(
    `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, removed_at, granted_by)
     SELECT $2, app_id, 'default', 1, now(), CASE install WHEN 'removed' THEN now() END,
       CASE install WHEN 'of a key that is gone' THEN '{"id": "key_gone"}'::jsonb END FROM ${SAID} WHERE install <> 'none'`,
    [cases, userId],
  );
  await query(`INSERT INTO disabled_extensions (user_id, app_id) SELECT $2, app_id FROM ${SAID} WHERE is_disabled`, [
    cases,
    userId,
  ]);
  await query(
    `INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes, denied_users, denied_roles)
     SELECT 'default', app_id, 'public', '{}', CASE rule WHEN 'against the user' THEN ARRAY[$2] WHEN 'about others' THEN ARRAY[$3] ELSE '{}' END,
       CASE rule WHEN 'against their role' THEN ARRAY['user'] WHEN 'about others' THEN ARRAY['admin'] ELSE '{}' END
     FROM ${SAID} WHERE rule <> 'none'`,
    [cases, userId, another],
  );
});
afterAll(() => gateway.stop());

const casesOf = (ids: ReadonlySet<string>): Case[] => CASES.filter(({ app_id }) => ids.has(app_id));

const OF_CASES = {
  columns: 'l.app_id',
  pairs: 'unnest($1::text[], array_fill($2::text, ARRAY[cardinality($1)])) AS l (app_id, user_id)',
  rest: 'ORDER BY l.app_id',
};

it('users who do not have an app as its developer are told the same by the statement that is for them alone', async () => {
  const all = await query<EligibilityRow>(selectEligibility(OF_CASES), [IDS, userId]);
  const ofUsers = await query<EligibilityRow>(selectEligibilityOfUsers(OF_CASES), [IDS, userId]);
  expect(ofUsers.map(({ as_developer }) => as_developer)).toEqual(all.map(({ as_developer }) => as_developer));
  const others = (rows: EligibilityRow[]) => rows.filter(({ as_developer }) => !as_developer);
  expect(others(ofUsers)).toEqual(others(all));
  expect(others(all).length).toBeGreaterThan(0);
  expect(others(all).length).toBeLessThan(CASES.length);
  // A caller that forgets the second check lets nothing run.
  expect(ofUsers.filter(({ as_developer, may_run }) => as_developer === may_run)).toEqual([]);
});

it('what the user may not call is what may not act for them, in SQL, too', async () => {
  const rows = await query<EligibilityRow & { app_id: string }>(selectEligibility(OF_CASES), [IDS, userId]);
  const gone = await query<{ app_id: string; is_gone: boolean }>(
    `SELECT app_id, ${appIsRevoked('jsonb_build_array(app_id)', '$2')} AS is_gone FROM unnest($1::text[]) AS app_id`,
    [IDS, userId],
  );
  const refused = new Set(rows.filter((row) => refusalOfUser(row) !== null).map(({ app_id }) => app_id));
  expect([rows.length, gone.length]).toEqual([CASES.length, CASES.length]);
  expect(casesOf(new Set(gone.filter(({ is_gone }) => is_gone).map(({ app_id }) => app_id)))).toEqual(casesOf(refused));
  expect(refused.size).toBeGreaterThan(0);
  expect(refused.size).toBeLessThan(CASES.length);
});

it('events of a user are handed to every app that may begin by itself for them', async () => {
  const eligibilities = await gateway.service.app
    .get(RunEligibilityService)
    .findEligibilities(IDS.map((appId) => ({ appId, userId })));
  const may = IDS.filter((_id, at) => eligibilities[at]?.refusal === null);
  const handed = await gateway.service.app.get(DataSource).query<{ app_id: string }[]>(APPS_OF_USER, [userId]);
  const missing = new Set(may.filter((id) => !handed.some(({ app_id }) => app_id === id)));
  expect(casesOf(missing)).toEqual([]);
  expect(may.length).toBeGreaterThan(0);
});
