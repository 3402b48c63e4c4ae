const REQUESTS = 'Requests are made with ctx.http, such as `await ctx.http.get(url)`.';
const STORE = 'Documents are kept with ctx.store.';
const NO_NODE = 'Handlers run without Node.js.';

/** What handlers have instead of what they lack. */
const INSTEAD: Record<string, string> = {
  fetch: REQUESTS,
  XMLHttpRequest: REQUESTS,
  WebSocket: REQUESTS,
  process: `${NO_NODE} Settings are read with ctx.config, secrets with ctx.secrets.`,
  Buffer: `${NO_NODE} Bytes are Uint8Array; there are TextEncoder, TextDecoder, atob and btoa.`,
  require: `${NO_NODE} Use \`import\`.`,
  setInterval: 'What runs again and again is a schedule of the app.',
  localStorage: STORE,
};

/** A sentence for a message of the compiler, the build or a run that is about something which handlers do not have; else an empty text. */
export function hintFor(message: string): string {
  const [, module] = /["'](node:[\w/]+|https?|net|fs|fs\/promises|axios|node-fetch|undici|got)["']/.exec(message) ?? [];
  if (module !== undefined) {
    if (/http|net|axios|fetch|undici|got/.test(module)) return REQUESTS;
    return /^(node:)?fs\b/.test(module) ? `${NO_NODE} ${STORE}` : NO_NODE;
  }
  const [, name] = /Cannot find name '(\w+)'/.exec(message) ?? /^['"]?(\w+)['"]? is not defined/.exec(message) ?? [];
  return (name !== undefined && Object.hasOwn(INSTEAD, name) && INSTEAD[name]) || '';
}
