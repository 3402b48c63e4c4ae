import { Injectable } from '@nestjs/common';
import type { CatalogToolsQuery } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { Batches, Errors, ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { reachableUser, reachOf } from '../access/reach.js';
import { tagOf, type TaggedJson } from '../conditional.js';
import { WithheldApps } from './withheld-apps.js';
import { CatalogEntries, inCatalog, IS_SHOWN, type CatalogApp, type CatalogEntry } from './catalog-entries.js';

type CatalogRow = CatalogApp & { user_id: string };

const APPS = `
  SELECT i.user_id, a.app_id, a.display_name AS name, a.description, a.version, a.category, encode(m.sha256, 'hex') AS hash
  FROM ${inCatalog('= ANY ($1::text[])')} ORDER BY a.app_id`;

const TRIES = 3;
const MAX_USERS = 16;
const STATEMENTS_AT_ONCE = 2;

/**
 * The apps are limited first, each of them has a function: a page never looks into more manifests than it may have functions, and one. The
 * second bound is for the planner, which may begin with either table.
 */
const catalogTools = (apps: string, isShown: string) => `
  SELECT '[' || coalesce(string_agg(tool::text, ',' ORDER BY app_id, name), '') || ']' AS tools FROM (
    SELECT app_id, t ->> 'name' AS name,
      json_build_object('app_id', app_id, 'name', t -> 'name', 'description', t -> 'description', 'action_type', t -> 'action_type',
        'params_schema', t -> 'params_schema') AS tool
    FROM (
      SELECT a.app_id, m.tools FROM ${apps} JOIN manifests m ON m.app_id = a.app_id AND m.version = a.version
      WHERE ${isShown} AND a.app_id >= $1 AND m.app_id >= $1 AND json_array_length(m.tools) > 0
      ORDER BY a.app_id LIMIT $3 + 1
    ) served, json_array_elements(tools) t
    WHERE app_id > $1 OR t ->> 'name' > $2
    ORDER BY app_id, name LIMIT $3
  ) page`;

const TOOLS_OF_ALL = catalogTools('apps a', "a.status = 'active'");
const TOOLS_OF_USER = catalogTools(
  '(SELECT * FROM installs WHERE user_id = $4) i JOIN apps a ON a.app_id = i.live_app_id',
  `${IS_SHOWN} AND a.app_id <> ALL ($5::text[])`,
);

@Injectable()
export class Catalog {
  private readonly apps = new Batches((userIds: string[]) => this.appsOf(userIds), {
    maxItems: MAX_USERS,
    maxRunning: STATEMENTS_AT_ONCE,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly entries: CatalogEntries,
    private readonly withheld: WithheldApps,
  ) {}

  /** What a session of the user begins with: what they have installed and may call. A user who has nothing installed, or whom nobody knows, has an empty catalog. */
  async of(caller: Caller, asked: string | undefined): Promise<TaggedJson> {
    const userId = this.userOf(caller, asked);
    if (userId === null) throw new ValidationFailed([{ loc: ['query', 'user_id'], msg: 'Field required', type: 'missing' }]);
    for (let tries = 0; tries < TRIES; tries++) {
      const entries = await this.entries.find(userId, await this.callable(userId));
      if (entries) return { json: catalogOf(userId, entries), etag: tagOf([userId, ...entries.map(({ digest }) => digest)].join('\n')) };
    }
    throw Errors.unavailable(new Error('The catalog changed each time it was read.'));
  }

  /** The functions of what a user has installed and may call, or of every active app, as the text of a JSON array. By app and name. */
  async tools(caller: Caller, { user_id, after_app_id = '', after_name = '', limit }: CatalogToolsQuery): Promise<string> {
    const userId = this.userOf(caller, user_id);
    const page = [after_app_id, after_name, limit];
    const [row] = await (userId === null
      ? queryPrepared<{ tools: string }>(this.dataSource, TOOLS_OF_ALL, page)
      : queryPrepared<{ tools: string }>(this.dataSource, TOOLS_OF_USER, [...page, userId, [...(await this.withheldOf(userId)).withheld]]));
    return row?.tools ?? '[]';
  }

  private async callable(userId: string): Promise<CatalogRow[]> {
    const { apps, withheld } = await this.withheldOf(userId);
    return withheld.size ? apps.filter(({ app_id }) => !withheld.has(app_id)) : apps;
  }

  private async withheldOf(userId: string): Promise<{ apps: CatalogRow[]; withheld: ReadonlySet<string> }> {
    const apps = await this.apps.add(userId);
    const ids = apps.map(({ app_id }) => app_id);
    return { apps, withheld: await this.withheld.of(userId, ids) };
  }

  private async appsOf(userIds: string[]): Promise<CatalogRow[][]> {
    const rows = await queryPrepared<CatalogRow>(this.dataSource, APPS, [userIds]);
    const found = new Map<string, CatalogRow[]>(userIds.map((userId) => [userId, []]));
    for (const row of rows) found.get(row.user_id)?.push(row);
    return userIds.map((userId) => found.get(userId) ?? []);
  }

  /** Null for a trusted backend or an administrator of the platform that names nobody. */
  private userOf(caller: Caller, asked: string | undefined): string | null {
    if (asked !== undefined) return reachableUser(caller, asked);
    const { isPlatform, userId } = reachOf(caller);
    return isPlatform ? null : userId;
  }
}

function catalogOf(userId: string, entries: CatalogEntry[]): Buffer[] {
  const parts = entries.map(({ json }, at) => (at ? json : json.subarray(','.length)));
  return [Buffer.from(`{"user_id":${JSON.stringify(userId)},"apps":[`), ...parts, Buffer.from(']}')];
}
