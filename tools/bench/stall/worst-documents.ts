import { read } from '../../../libs/app-document/src/checking/checks.js';

const VERSION = '1.0.0';

const repeated = (part: string | ((at: number) => string), bytes: number): string => {
  const parts: string[] = [];
  for (let length = 0, at = 0; ; at++) {
    const next = typeof part === 'string' ? part : part(at);
    if ((length += next.length) > bytes) return parts.join('');
    parts.push(next);
  }
};

const handler = 'export default () => 1;\n';
/** Sources of one module each, which fill the allowed size. */
const SOURCES: Record<string, (room: number) => string> = {
  declarations: (room) => repeated((at) => `let a${at}=1;`, room),
  'declarations in blocks': (room) =>
    '{'.repeat(60) + repeated((at) => `var a${at % 15_000};`, Math.min(180_000, room)) + '}'.repeat(60),
  exports: (room) => repeated((at) => `export let a${at}=1;`, room),
  functions: (room) => repeated('()=>{};', room),
  arrows: (room) => repeated('a=>a;(a)=>[a];', room),
  classes: (room) => `class A{${repeated((at) => `#a${at};`, room)}}`,
  'regular expressions': (room) => repeated('/(?:a|b)*[^\\w]{1,3}(?<n>c)\\k<n>/u;', room),
  templates: (room) => repeated('`${`${1}`}`;', room),
  'object patterns': (room) => repeated('({a:[b]}={});', room),
  operators: (room) => `let x=${repeated('1+2*', room)}1;`,
  numbers: (room) => `let x=[${repeated('0,', room)}];`,
  letters: (room) => repeated('\u{20000};', room / 2),
};

const documentOf = (appId: string, source: string) => ({
  app_id: appId,
  version: VERSION,
  name: 'Slow',
  modules: { main: source },
  steps: [{ id: 'run', kind: 'function', action: 'run', params: { description: 'Runs.', code: { module: 'main' } } }],
});

export interface WorstDocument {
  /** Kind of the source. */
  name: string;
  milliseconds: number;
  /** Body of a deploy request, as JSON. */
  body: (appId: string) => string;
}

/**
 * Generates documents with sources of this size. Returns the one that passes all checks and takes
 * longest, measured here and now.
 */
export function worstDocument(sourceBytes: number): WorstDocument {
  const room = sourceBytes - handler.length - 2_000;
  let worst: WorstDocument | undefined;
  for (const [name, make] of Object.entries(SOURCES)) {
    const source = `${handler}${make(room)}`;
    const json = JSON.stringify(documentOf('slow', source));
    const started = performance.now();
    const { ok } = read({ json });
    const milliseconds = performance.now() - started;
    if (!ok || milliseconds < (worst?.milliseconds ?? 0)) continue;
    worst = {
      name,
      milliseconds,
      body: (appId) => JSON.stringify({ version: VERSION, ir_dict: documentOf(appId, source) }),
    };
  }
  if (!worst) throw new Error('No document passes the checks.');
  return worst;
}
