import { hasAtMost, shortenText } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import type { ShownApp } from './app-response.js';

/** Fields of a document that describe the app to people. */
interface DocumentListing {
  id: string;
  title: string;
  description: string;
  homepage: string | null;
  license: string | null;
  category: string | null;
}

type Listing = Partial<
  Pick<
    ShownApp,
    'displayName' | 'shortDescription' | 'description' | 'longDescription' | 'homepage' | 'license' | 'category'
  >
>;

/** Values before the first document. */
const EMPTY_LISTING = { id: '', title: '', description: '', homepage: null, license: null, category: null };

const MAX_DESCRIPTION = 2_000;
const MAX_SUMMARY = 200;

/**
 * Returns the changes of the listing (name, description and the like) when an app starts to serve
 * another version: the fields that differ between the documents of the new and of the served
 * version. A field that the developer edited in the portal stays until the document changes that
 * field. Empty for a version without a document.
 */
export async function findListingChanges(
  em: EntityManager,
  app: { appId: string; servedVersion: string | null },
  version: string,
): Promise<Listing> {
  const now = await findDocumentListing(em, app.appId, version);
  if (!now) return {};
  const before =
    app.servedVersion === null
      ? await findReplacedListing(em, app.appId, version)
      : await findDocumentListing(em, app.appId, app.servedVersion);
  const isSaid = (key: keyof DocumentListing): boolean => now[key] !== (before?.[key] ?? EMPTY_LISTING[key]);
  const description = toText(now.description);
  return {
    // A document without a title repeats the id; that is not a display name.
    ...(isSaid('title') && (before || now.title !== now.id) && toLine(now.title) && { displayName: toLine(now.title) }),
    ...(isSaid('description') && {
      description: shortenText(description, MAX_DESCRIPTION),
      longDescription: hasAtMost(MAX_DESCRIPTION, description) ? '' : description,
      shortDescription: shortenText(toLine(description), MAX_SUMMARY),
    }),
    ...(isSaid('homepage') && { homepage: now.homepage }),
    ...(isSaid('license') && { license: toLine(now.license ?? '') || null }),
    ...(isSaid('category') && { category: now.category ?? 'general' }),
  };
}

const LISTING_FIELDS_SQL = `a ->> 'id' AS id, a ->> 'title' AS title, a ->> 'description' AS description, a ->> 'homepage' AS homepage,
  a ->> 'license' AS license, a ->> 'category' AS category`;

/**
 * Fields of the document that this version had before its content was replaced, as it was when last
 * served. Null if there was none.
 */
async function findReplacedListing(em: EntityManager, appId: string, version: string): Promise<DocumentListing | null> {
  const [said] = await em.query<DocumentListing[]>(
    `SELECT ${LISTING_FIELDS_SQL} FROM app_versions v, LATERAL (SELECT v.replaced_app) AS app (a)
     WHERE v.app_id = $1 AND v.version = $2 AND v.replaced_app IS NOT NULL`,
    [appId, version],
  );
  return said ?? null;
}

async function findDocumentListing(em: EntityManager, appId: string, version: string): Promise<DocumentListing | null> {
  const [said] = await em.query<DocumentListing[]>(
    `SELECT ${LISTING_FIELDS_SQL} FROM app_versions v, LATERAL (SELECT v.document -> 'app') AS app (a)
     WHERE v.app_id = $1 AND v.version = $2 AND v.document IS NOT NULL`,
    [appId, version],
  );
  return said ?? null;
}

/** Control characters, and characters that change the direction of text. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text on one line, without invisible characters. */
const toLine = (text: string): string => text.replace(/\s+/g, ' ').replace(INVISIBLE_CHARACTERS, '').trim();

const toText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE_CHARACTERS, (character) => (character === '\n' || character === '\t' ? character : ''))
    .trim();
