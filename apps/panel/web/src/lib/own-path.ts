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

/** The sign-in page that leads back to `path`. */
export const signInPath = (path: string): string => (path === HOME ? '/login' : `/login?next=${encodeURIComponent(path)}`);
