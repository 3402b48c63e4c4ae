import { Injectable } from '@nestjs/common';
import type { CatalogToolsQuery } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { Batcher, Errors, ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { reachableUser, reachOf } from '../access/reach.js';
import { etagOf, type TaggedJson } from '../conditional-requests.js';
import { WithheldAppsService } from './withheld-apps.service.js';
import {
  CatalogEntryCache,
  catalogJoin,
  IN_CATALOG_CONDITION,
  type CatalogAppState,
  type CatalogEntry,
} from './catalog-entry-cache.js';

type CatalogRow = CatalogAppState & { user_id: string };

const APPS = `
  SELECT i.user_id, a.app_id, a.display_name AS name, a.description, a.version, a.category, encode(m.sha256, 'hex') AS hash
  FROM ${catalogJoin('= ANY ($1::text[])')} ORDER BY a.app_id`;

const TRIES = 3;
const MAX_USERS = 16;
const STATEMENTS_AT_ONCE = 2;

/**
 * SQL of a page of the functions of `apps`, as a text that is a JSON list. Each of the apps has at
 * least one function, and the limit applies to the apps first: so a page reads at most one manifest
 * more than it returns functions. The second bound, on `m.app_id`, helps the query planner, which
 * can start from either table.
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
  `${IN_CATALOG_CONDITION} AND a.app_id <> ALL ($5::text[])`,
);

@Injectable()
export class CatalogService {
  private readonly apps = new Batcher((userIds: string[]) => this.appsOf(userIds), {
    maxItems: MAX_USERS,
    maxRunning: STATEMENTS_AT_ONCE,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly entries: CatalogEntryCache,
    private readonly withheld: WithheldAppsService,
  ) {}

  /**
   * Returns the catalog of a user: the apps that the user has installed and may call. It is empty
   * for an unknown user and for a user without installs.
   *
   * @param asked the id of the user; undefined: the caller.
   * @throws ValidationFailed if a trusted backend or an administrator of the platform names no
   * user; AppError 403 `app.other_user` if another caller names another user; 503 `unavailable` if
   * the catalog changed during each of 3 reads, or if the gateway cannot say which apps the user
   * may call.
   */
  async getCatalog(caller: Caller, asked: string | undefined): Promise<TaggedJson> {
    const userId = this.userOf(caller, asked);
    if (userId === null)
      throw new ValidationFailed([{ loc: ['query', 'user_id'], msg: 'Field required', type: 'missing' }]);
    for (let tries = 0; tries < TRIES; tries++) {
      const entries = await this.entries.findEntries(userId, await this.callable(userId));
      if (entries)
        return {
          json: catalogOf(userId, entries),
          etag: etagOf([userId, ...entries.map(({ digest }) => digest)].join('\n')),
        };
    }
    throw Errors.unavailable(new Error('The catalog changed each time it was read.'));
  }

  /**
   * Returns a page of functions as the text of a JSON array, ordered by app and name: of the apps
   * that a user has installed and may call; of every active app if a trusted backend or an
   * administrator of the platform names no user.
   *
   * @throws AppError 403 `app.other_user` if another caller names another user; 503 `unavailable`
   * if the gateway cannot say which apps the user may call.
   */
  async listTools(
    caller: Caller,
    { user_id, after_app_id = '', after_name = '', limit }: CatalogToolsQuery,
  ): Promise<string> {
    const userId = this.userOf(caller, user_id);
    const page = [after_app_id, after_name, limit];
    const [row] = await (userId === null
      ? queryPrepared<{ tools: string }>(this.dataSource, TOOLS_OF_ALL, page)
      : queryPrepared<{ tools: string }>(this.dataSource, TOOLS_OF_USER, [
          ...page,
          userId,
          [...(await this.withheldOf(userId)).withheld],
        ]));
    return row?.tools ?? '[]';
  }

  private async callable(userId: string): Promise<CatalogRow[]> {
    const { apps, withheld } = await this.withheldOf(userId);
    return withheld.size ? apps.filter(({ app_id }) => !withheld.has(app_id)) : apps;
  }

  private async withheldOf(userId: string): Promise<{ apps: CatalogRow[]; withheld: ReadonlySet<string> }> {
    const apps = await this.apps.addItem(userId);
    const ids = apps.map(({ app_id }) => app_id);
    return { apps, withheld: await this.withheld.findWithheldApps(userId, ids) };
  }

  private async appsOf(userIds: string[]): Promise<CatalogRow[][]> {
    const rows = await queryPrepared<CatalogRow>(this.dataSource, APPS, [userIds]);
    const found = new Map<string, CatalogRow[]>(userIds.map((userId) => [userId, []]));
    for (const row of rows) found.get(row.user_id)?.push(row);
    return userIds.map((userId) => found.get(userId) ?? []);
  }

  /**
   * Id of the requested user, by default the caller's own; null if a trusted backend or an
   * administrator of the platform names no user.
   *
   * @throws AppError 403 `app.other_user` if another caller names another user.
   */
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
