import { Inject, Injectable } from '@nestjs/common';
import type { CatalogToolsQuery } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { queryPrepared } from '@platform/persistence';
import { ValidationFailed } from '@platform/platform';
import { DataSource } from 'typeorm';
import { reachableUser, reachOf } from '../access/reach.js';
import type { TaggedJson } from '../conditional.js';

/** Tools and sections are passed on as the text that they were stored as. */
const CATALOG = `
  SELECT coalesce(string_agg(entry, ',' ORDER BY app_id), '') AS apps,
    encode(sha256(convert_to(coalesce(string_agg(head || encode(sha256, 'hex'), ',' ORDER BY app_id), ''), 'UTF8')), 'hex') AS tag
  FROM (
    SELECT a.app_id, h.head, m.sha256,
      h.head || ',"tools":' || m.tools::text || ',"skeleton_sections":' || m.skeleton_sections::text || '}' AS entry
    FROM installs i JOIN apps a ON a.app_id = i.live_app_id JOIN manifests m ON m.app_id = a.app_id AND m.version = a.version,
      LATERAL (SELECT '{"app_id":' || to_json(a.app_id) || ',"name":' || to_json(a.display_name) || ',"description":'
        || to_json(a.description) || ',"version":' || to_json(a.version) || ',"category":' || to_json(a.category) AS head) h
    WHERE i.user_id = $1 AND i.live_app_id IS NOT NULL AND a.status = 'active'
  ) served`;

const catalogTools = (apps: string) => `
  SELECT '[' || coalesce(string_agg(tool::text, ',' ORDER BY app_id, name), '') || ']' AS tools FROM (
    SELECT a.app_id, t ->> 'name' AS name,
      json_build_object('app_id', a.app_id, 'name', t -> 'name', 'description', t -> 'description', 'action_type', t -> 'action_type',
        'params_schema', t -> 'params_schema') AS tool
    FROM ${apps} JOIN manifests m ON m.app_id = a.app_id AND m.version = a.version, json_array_elements(m.tools) t
    WHERE a.status = 'active' AND a.app_id >= $1 AND (a.app_id > $1 OR t ->> 'name' > $2)
    ORDER BY a.app_id, name LIMIT $3
  ) page`;

const TOOLS_OF_ALL = catalogTools('apps a');
const TOOLS_OF_USER = catalogTools('(SELECT * FROM installs WHERE user_id = $4) i JOIN apps a ON a.app_id = i.live_app_id');

@Injectable()
export class Catalog {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** What a session of the user begins with. A user who has nothing installed, or whom nobody knows, has an empty catalog. */
  async of(caller: Caller, asked: string | undefined): Promise<TaggedJson> {
    const userId = this.userOf(caller, asked);
    if (userId === null) throw new ValidationFailed([{ loc: ['query', 'user_id'], msg: 'Field required', type: 'missing' }]);
    const [row] = await queryPrepared<{ apps: string; tag: string }>(this.dataSource, CATALOG, [userId]);
    return { json: `{"user_id":"${userId}","apps":[${row?.apps ?? ''}]}`, etag: `"${row?.tag ?? ''}"` };
  }

  /** The functions of what a user has installed, or of every active app, as the text of a JSON array. By app and name. */
  async tools(caller: Caller, { user_id, after_app_id = '', after_name = '', limit }: CatalogToolsQuery): Promise<string> {
    const userId = this.userOf(caller, user_id);
    const page = [after_app_id, after_name, limit];
    const [row] = await (userId === null
      ? queryPrepared<{ tools: string }>(this.dataSource, TOOLS_OF_ALL, page)
      : queryPrepared<{ tools: string }>(this.dataSource, TOOLS_OF_USER, [...page, userId]));
    return row?.tools ?? '[]';
  }

  /** Null for a trusted backend or an administrator of the platform that names nobody. */
  private userOf(caller: Caller, asked: string | undefined): string | null {
    if (asked !== undefined) return reachableUser(caller, asked);
    const { isPlatform, userId } = reachOf(caller);
    return isPlatform ? null : userId;
  }
}
