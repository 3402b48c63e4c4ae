const REQUESTS = 'Use ctx.http for requests, such as `await ctx.http.get(url)`.';
const STORE = 'Use ctx.store to store documents.';
const NO_NODE = 'Handlers cannot use Node.js.';

/** Replacements for globals that handlers do not have. */
const INSTEAD: Record<string, string> = {
  fetch: REQUESTS,
  XMLHttpRequest: REQUESTS,
  WebSocket: REQUESTS,
  process: `${NO_NODE} Use ctx.config for settings and ctx.secrets for secrets.`,
  Buffer: `${NO_NODE} Use Uint8Array for bytes, with TextEncoder, TextDecoder, atob and btoa.`,
  require: `${NO_NODE} Use \`import\`.`,
  setInterval: 'Use a schedule of the app for repeated work.',
  localStorage: STORE,
};

/**
 * Advice for an error of the compiler, the build or a run about a global or a module that handlers
 * do not have, such as `fetch` or `node:fs`. Empty for other errors.
 */
export function hintFor(message: string): string {
  const [, module] = /["'](node:[\w/]+|https?|net|fs|fs\/promises|axios|node-fetch|undici|got)["']/.exec(message) ?? [];
  if (module !== undefined) {
    if (/http|net|axios|fetch|undici|got/.test(module)) return REQUESTS;
    return /^(node:)?fs\b/.test(module) ? `${NO_NODE} ${STORE}` : NO_NODE;
  }
  const [, name] = /Cannot find name '(\w+)'/.exec(message) ?? /^['"]?(\w+)['"]? is not defined/.exec(message) ?? [];
  return (name !== undefined && Object.hasOwn(INSTEAD, name) && INSTEAD[name]) || '';
}
