import { parseAppDocument, type AppDocument, type DocumentIssue, type Module } from '@platform/app-document';
import type { ExtensionDefinition } from './definition.js';

/** Name of the module that the build produces. */
export const MODULE = 'main';

/** A handler: its name among the exports of the module, and its place in the definition. */
export interface Handler {
  entry: string;
  /** `at` is the index in the list, for a name with several handlers. */
  path: [list: HandlerList, name: string, at?: number];
}

const HANDLER_LISTS = ['functions', 'webhooks', 'schedules', 'events'] as const;
type HandlerList = (typeof HANDLER_LISTS)[number];
/** A single handler, also where the name has a list of handlers. */
type Part<List extends HandlerList> = Exclude<NonNullable<ExtensionDefinition[List]>[string], readonly unknown[]>;

/**
 * Returns the handler at a place in the definition. For a name with several handlers, `at` is the
 * index; the first by default. Undefined if there is none.
 */
export function handlerAt<List extends HandlerList>(
  definition: ExtensionDefinition,
  [list, name, at]: readonly [List, string, number?],
): Part<List> | undefined {
  const named = (definition[list] as Record<string, Part<List> | readonly Part<List>[]> | undefined)?.[name];
  return Array.isArray(named) ? (named as readonly Part<List>[])[at ?? 0] : (named as Part<List> | undefined);
}

/**
 * Returns all handlers of a definition, each with its name among the exports of the built module.
 * These names are unique and readable, such as `function_add_note`.
 */
export function handlersOf(definition: ExtensionDefinition): Handler[] {
  const taken = new Set<string>();
  const paths = HANDLER_LISTS.flatMap((list) =>
    Object.entries(definition[list] ?? {}).flatMap(([name, named]: [string, unknown]): Handler['path'][] =>
      Array.isArray(named) ? named.map((_each, at) => [list, name, at]) : [[list, name]],
    ),
  );
  return paths.map((path): Handler => {
    const [list, name] = path;
    const wanted = `${list.slice(0, -1)}_${name.replace(/[^A-Za-z0-9_]+/g, '_')}`;
    let entry = wanted;
    for (let count = 2; taken.has(entry); count++) entry = `${wanted}_${count}`;
    taken.add(entry);
    return { entry, path };
  });
}

/**
 * Returns the app document of a definition and its built module. It is not validated, and can
 * contain undefined values.
 */
export function documentOf(definition: ExtensionDefinition, module: Module): object {
  const {
    id,
    version,
    name,
    description,
    icon,
    homepage,
    license,
    category,
    hosts,
    capabilities,
    emits = {},
    secrets = {},
    settings = {},
  } = definition;
  const handlers = handlersOf(definition);
  const of = <List extends HandlerList>(list: List) =>
    handlers
      .filter(({ path }) => path[0] === list)
      .map(({ entry, path: [, name, at] }) => {
        const part = handlerAt(definition, [list, name, at]) as Part<List>;
        return { name, part, impl: { kind: 'code', module: MODULE, entry } };
      });
  return {
    ir_version: '1.0',
    app: {
      id,
      version,
      title: name ?? id,
      description,
      icon,
      homepage,
      license,
      category,
      hosts,
      capabilities,
      functions: of('functions').map(({ name, part, impl }) => ({
        name,
        description: part.description,
        action_type: part.actionType,
        params_schema: part.params ?? { type: 'object', additionalProperties: false },
        return_schema: part.returns,
        required_scopes: part.requiredScopes,
        effects: part.effects,
        event: part.event,
        impl,
      })),
      webhooks: of('webhooks').map(
        ({ name, part: { method, secretHeader, inbox, redirectHosts, description }, impl }) => {
          return {
            path: name,
            method,
            secret_header: secretHeader,
            inbox,
            redirect_hosts: redirectHosts,
            description,
            impl,
          };
        },
      ),
      schedules: of('schedules').map(({ name, part: { cron, forEachUser, description }, impl }) => {
        return { name, cron, for_each_user: forEachUser, description, impl };
      }),
      events: {
        subscribes: of('events').map(({ name, impl }) => ({ type: name, impl })),
        emits: Object.entries(emits).map(([type, schema]) => ({ type, payload_schema: schema })),
      },
      secrets: Object.entries(secrets).map(([name, { writeMode, maxBytes, rotationHintDays, ...secret }]) => {
        return { name, ...secret, write_mode: writeMode, max_bytes: maxBytes, rotation_hint_days: rotationHintDays };
      }),
      settings: Object.entries(settings).map(([name, setting]) => ({ name, ...setting })),
      modules: { [MODULE]: module },
    },
  };
}

/** Returns a copy of the document as JSON data, without undefined values. */
export const jsonOf = (document: object): unknown => JSON.parse(JSON.stringify(document));

/** Keys of the document whose items have a name, and their place in the definition. */
const NAMED: Readonly<Record<string, { list: string; name: string }>> = {
  functions: { list: 'functions', name: 'name' },
  webhooks: { list: 'webhooks', name: 'path' },
  schedules: { list: 'schedules', name: 'name' },
  subscribes: { list: 'events', name: 'type' },
  emits: { list: 'emits', name: 'type' },
  secrets: { list: 'secrets', name: 'name' },
  settings: { list: 'settings', name: 'name' },
};
const KEYS: Readonly<Record<string, string>> = {
  title: 'name',
  action_type: 'actionType',
  params_schema: 'params',
  return_schema: 'returns',
  required_scopes: 'requiredScopes',
  secret_header: 'secretHeader',
  redirect_hosts: 'redirectHosts',
  for_each_user: 'forEachUser',
  payload_schema: '',
  write_mode: 'writeMode',
  max_bytes: 'maxBytes',
  rotation_hint_days: 'rotationHintDays',
};

/**
 * Returns the place of an issue in the definition, such as
 * `functions.add_note.params.properties.text`. An empty text is the whole definition.
 *
 * @param document the document that the issue's pointer belongs to.
 */
export function placeOf({ pointer }: Pick<DocumentIssue, 'pointer'>, document: unknown): string {
  const path: string[] = [];
  let value = document;
  let [named, nameKey]: [named?: { list: string; name: string } | undefined, nameKey?: string] = [];
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
    if (named) {
      const name = (value as Record<string, unknown> | undefined)?.[named.name];
      path.push(named.list, typeof name === 'string' ? name : key);
      [nameKey, named] = [named.name, undefined];
    } else if (path.length === 0 && Object.hasOwn(NAMED, key)) named = NAMED[key];
    else if (path.length === 0 && (key === 'app' || key === 'events')) continue;
    else if (path.length !== 2) path.push(key);
    else if (key !== nameKey) path.push(KEYS[key] ?? key);
  }
  if (named) path.push(named.list);
  return path.filter(Boolean).join('.');
}

/**
 * Returns the validated document of a definition that is not built, with a module of empty
 * handlers. @throws Error with all issues, one per line.
 */
export function documentOfDefinition(definition: ExtensionDefinition): AppDocument {
  const exports = handlersOf(definition).map(({ entry }) => `export const ${entry} = 0;`);
  const sent = jsonOf(documentOf(definition, { source: exports.join('\n'), source_map: null }));
  const result = parseAppDocument(sent);
  if (result.ok) return result.document;
  throw new Error(result.issues.map((issue) => `${placeOf(issue, sent)}: ${issue.message}`).join('\n'));
}
