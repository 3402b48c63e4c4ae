import { dirname, posix, resolve, sep } from 'node:path';

/** The groups of the gateway's folders, each upon those before it: docs/decisions/0025-groups-of-the-gateway.md. */
const GROUPS = ['kernel', 'identity', 'organisation', 'apps', 'extensions', 'marketplace', 'automations'];
/** What puts them together, and what nothing of them may import. */
const TOP = ['app.module', 'database', 'main', 'service', 'worker', 'seed', 'maintenance', 'migrations', 'testing', 'attacks'];
/** What all may import, and what imports nothing of them. */
const BASE = ['config', 'tier-limits'];
const ROOT = posix.join('apps', 'auth-gateway', 'src');

/**
 * How many stand below it. Undefined for what is not of the gateway, null for what is in no group.
 *
 * @param {string} path absolute
 * @returns {number | null | undefined}
 */
function rankOf(path) {
  const parts = path.split(sep).join('/').split(`/${ROOT}/`);
  if (parts.length < 2) return undefined;
  const first = (parts.at(-1) ?? '').split('/')[0]?.replace(/\.(ts|js)$/, '') ?? '';
  if (BASE.includes(first)) return 0;
  if (TOP.includes(first)) return GROUPS.length + 1;
  return GROUPS.includes(first) ? GROUPS.indexOf(first) + 1 : null;
}

/**
 * Refuses values that are imported from a later group. Types of later groups may be named.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      upward:
        '{{source}} stands in a later group. A group of folders builds upon those before it: docs/decisions/0025-groups-of-the-gateway.md.',
      nowhere: 'The file is in no group of the gateway: docs/decisions/0025-groups-of-the-gateway.md.',
    },
  },
  create(context) {
    const own = rankOf(context.filename);

    /**
     * @param {import('estree').Node} node
     * @param {unknown} source
     */
    const check = (node, source) => {
      if (typeof source !== 'string' || !source.startsWith('.') || own === undefined || own === null) return;
      const other = rankOf(resolve(dirname(context.filename), source));
      if (other !== undefined && other !== null && other > own) context.report({ node, messageId: 'upward', data: { source } });
    };
    /** @param {any} node */
    const ofTypes = (node) =>
      (node.importKind ?? node.exportKind) === 'type' ||
      (node.specifiers?.length > 0 && node.specifiers.every((/** @type {any} */ one) => (one.importKind ?? one.exportKind) === 'type'));
    /** @param {any} node */
    const declaration = (node) => {
      if (node.source && !ofTypes(node)) check(node, node.source.value);
    };

    return {
      Program(node) {
        if (own === null) context.report({ node, messageId: 'nowhere' });
      },
      ImportDeclaration: declaration,
      ExportNamedDeclaration: declaration,
      ExportAllDeclaration: declaration,
      ImportExpression: (/** @type {any} */ node) => check(node, node.source.value),
    };
  },
};
