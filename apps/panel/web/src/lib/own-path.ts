const HOME = '/';

/**
 * Where to go after signing in: `wanted` when it is a path of this site, else the home page. The browser's own parser decides, since it
 * drops tabs and takes `\` for `/`; what it makes of `/.//elsewhere` must not lead elsewhere either.
 */
export function ownPath(wanted: string | null, origin: string): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return HOME;
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The sign-in page that leads back to `path`, of the tenant that its query names. */
export function signInPath(path: string): string {
  const query = new URLSearchParams(path.split('?')[1]);
  return withQuery('/login', { tenant: query.get('tenant'), next: path === HOME ? null : path });
}

/** A path with these parameters; those without a value are left out. */
export function withQuery(path: string, parameters: Record<string, string | null>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1])));
  return query.size ? `${path}?${query.toString()}` : path;
}
