const HOME = '/';

/**
 * Path to open after sign-in: `wanted` if it is a path of this site, otherwise the start page. The
 * URL parser of the browser decides, since it removes tabs and treats `\` as `/`. Its result for
 * `/.//elsewhere` must not lead to another site either.
 */
export function ownPath(wanted: string | null, origin: string): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return HOME;
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Path of the sign-in page that returns to `path`, for the tenant in its query. */
export function signInPath(path: string): string {
  const query = new URLSearchParams(path.split('?')[1]);
  return withQuery('/login', { tenant: query.get('tenant'), next: path === HOME ? null : path });
}

/** Adds query parameters to a path. Parameters that are null or empty are omitted. */
export function withQuery(path: string, parameters: Record<string, string | null>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  return query.size ? `${path}?${query.toString()}` : path;
}
