import { hasAtMost, shortened } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import type { ShownApp } from './app-response.js';

/** What a document says of its app to people. */
interface Said {
  id: string;
  title: string;
  description: string;
  homepage: string | null;
  license: string | null;
  category: string | null;
}

type Listing = Partial<
  Pick<ShownApp, 'displayName' | 'shortDescription' | 'description' | 'longDescription' | 'homepage' | 'license' | 'category'>
>;

/** What counts as said before the first document. */
const UNSAID = { id: '', title: '', description: '', homepage: null, license: null, category: null };

const MAX_DESCRIPTION = 2_000;
const MAX_SUMMARY = 200;

/**
 * What becomes of an app's listing when it comes to serve another version: what the document says otherwise than the one that was served.
 * What its developer changed by the portal stays as long as their documents say the same.
 */
export async function listingChanges(
  em: EntityManager,
  app: { appId: string; servedVersion: string | null },
  version: string,
): Promise<Listing> {
  const now = await saidBy(em, app.appId, version);
  if (!now) return {};
  const before = app.servedVersion === null ? await saidBefore(em, app.appId, version) : await saidBy(em, app.appId, app.servedVersion);
  const isSaid = (key: keyof Said): boolean => now[key] !== (before?.[key] ?? UNSAID[key]);
  const description = prose(now.description);
  return {
    // Without a name of its own, an app has its id for one.
    ...(isSaid('title') && (before || now.title !== now.id) && line(now.title) && { displayName: line(now.title) }),
    ...(isSaid('description') && {
      description: shortened(description, MAX_DESCRIPTION),
      longDescription: hasAtMost(MAX_DESCRIPTION, description) ? '' : description,
      shortDescription: shortened(line(description), MAX_SUMMARY),
    }),
    ...(isSaid('homepage') && { homepage: now.homepage }),
    ...(isSaid('license') && { license: line(now.license ?? '') || null }),
    ...(isSaid('category') && { category: now.category ?? 'general' }),
  };
}

const SAID = `a ->> 'id' AS id, a ->> 'title' AS title, a ->> 'description' AS description, a ->> 'homepage' AS homepage,
  a ->> 'license' AS license, a ->> 'category' AS category`;

/** By the document in whose place that of a version is, when it was served. */
async function saidBefore(em: EntityManager, appId: string, version: string): Promise<Said | null> {
  const [said] = await em.query<Said[]>(
    `SELECT ${SAID} FROM app_versions v, LATERAL (SELECT v.replaced_app) AS app (a)
     WHERE v.app_id = $1 AND v.version = $2 AND v.replaced_app IS NOT NULL`,
    [appId, version],
  );
  return said ?? null;
}

async function saidBy(em: EntityManager, appId: string, version: string): Promise<Said | null> {
  const [said] = await em.query<Said[]>(
    `SELECT ${SAID} FROM app_versions v, LATERAL (SELECT v.document -> 'app') AS app (a)
     WHERE v.app_id = $1 AND v.version = $2 AND v.document IS NOT NULL`,
    [appId, version],
  );
  return said ?? null;
}

/** Control characters, and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** On one line, of what may be seen. */
const line = (text: string): string => text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim();

const prose = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : ''))
    .trim();
