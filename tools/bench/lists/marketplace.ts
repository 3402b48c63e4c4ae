import type { ListMarketplaceAppsQuery } from '@platform/contracts';
import { findListingRows } from '../../../apps/auth-gateway/src/marketplace/listings/listing-rows.js';
import { findListedApps } from '../../../apps/auth-gateway/src/marketplace/listings/sorted-apps.js';
import { pathOf, whileGrowing, type Listed } from './growth.js';
import { CATEGORY, fillMarketplace, WORDS } from './marketplace-apps.js';

const { frequent, usual, seldom, rare } = WORDS;

/** Words that few, some or most apps have, mistyped words, and lists in every order. */
const QUERIES: Partial<ListMarketplaceAppsQuery>[] = [
  { search: rare },
  { search: seldom },
  { search: usual },
  { search: frequent },
  { search: `${frequent} ${usual}` },
  { search: `${usual} ${seldom}` },
  { search: `${frequent} ${rare}` },
  { search: frequent, offset: 60 },
  { search: usual, category: CATEGORY },
  { search: frequent, category: CATEGORY },
  { search: 'calender' },
  { search: 'asistant' },
  { search: 'quixotik' },
  { search: 'calen' },
  { search: 'xyzzyplugh' },
  { search: frequent, sort: 'installs' },
  { search: usual, sort: 'newest' },
  { search: rare, sort: 'rating' },
  {},
  { offset: 60 },
  { sort: 'installs' },
  { sort: 'rating' },
  { sort: 'newest' },
  { sort: 'name' },
  { category: CATEGORY },
  { category: CATEGORY, sort: 'name' },
];

const listed: Listed[] = QUERIES.map((query) => ({
  path: pathOf('/v1/marketplace/apps', query),
  read: async (em) => findListingRows(em, await findListedApps(em, { limit: 20, offset: 0, ...query })),
}));

/** Compares the marketplace with a hundred apps and with a hundred thousand. */
export const marketplace = whileGrowing({
  name: 'marketplace',
  counts: { full: { small: 100, large: 100_000 }, tiny: { small: 20, large: 40 } },
  what: 'apps',
  fill: fillMarketplace,
  listed,
});
