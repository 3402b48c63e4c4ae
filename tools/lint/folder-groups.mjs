import { dirname, resolve, sep } from 'node:path';

/**
 * The groups of a project's folders.
 *
 * @typedef {object} Groups
 * @property {string} root the folder that holds them, from the root of the workspace
 * @property {string[]} base files that all may import, and that import nothing of the groups
 * @property {(string | string[])[]} order each group imports those before it; groups in one list do not import each other
 * @property {Record<string, string[]>} [within] the order of the folders inside a group, each upon those before it and upon the group's own files
 * @property {string[]} top what puts the groups together, and what none of them may import
 * @property {string} page where this is explained
 */

/** @typedef {{ rank: number; group: string; part: number; name: string }} Place `name` is the folder, as a message says it */

/** Groups and folders inside of them stand behind what is before them. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

/**
 * Undefined for what is not of the project, null for what is in no group.
 *
 * @param {string} path absolute
 * @param {Groups} groups
 * @returns {Place | null | undefined}
 */
function placeOf(path, { root, base, order, within = {}, top }) {
  const parts = path.split(sep).join('/').split(`/${root}/`);
  if (parts.length < 2) return undefined;
  const [first = '', second = '', ...rest] = (parts.at(-1) ?? '').split('/');
  const group = first.replace(/\.(ts|js)$/, '');
  if (base.includes(group)) return { rank: 0, group: 'base', part: 0, name: group };
  if (top.includes(group)) return { rank: order.length + 1, group: 'top', part: 0, name: group };
  const at = order.findIndex((one) => [one].flat().includes(group));
  if (at < 0) return null;
  const folders = within[group];
  if (!folders || !rest.length) return { rank: at + 1, group, part: 0, name: group };
  return { rank: at + 1, group, part: folders.includes(second) ? folders.indexOf(second) + 1 : UNKNOWN, name: `${group}/${second}` };
}

/**
 * @param {Place} own
 * @param {Place} other
 */
const isBefore = (own, other) => (own.group === other.group ? other.part <= own.part : other.rank < own.rank);

/**
 * Refuses values that are imported from a group that is not before the file's own. Types of later groups may be named. Takes the groups as its option.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      upward:
        '`{{own}}` may not import `{{other}}`, which does not come before it. Import a type, register from above (docs/architecture.md#what-a-feature-registers), or move down what both need. {{page}}',
      nowhere: 'The file is in no group of {{root}}. The groups are listed in tools/lint/folder-groups.config.mjs. {{page}}',
    },
  },
  create(context) {
    const groups = /** @type {Groups} */ (context.options[0]);
    const { page, root } = groups;
    const own = placeOf(context.filename, groups);

    /**
     * @param {import('estree').Node} node
     * @param {unknown} source
     */
    const check = (node, source) => {
      if (typeof source !== 'string' || !source.startsWith('.') || !own) return;
      const other = placeOf(resolve(dirname(context.filename), source), groups);
      if (other && !isBefore(own, other)) {
        context.report({ node, messageId: 'upward', data: { own: own.name, other: other.name, page } });
      }
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
        if (own === null || own?.part === UNKNOWN) context.report({ node, messageId: 'nowhere', data: { root, page } });
      },
      ImportDeclaration: declaration,
      ExportNamedDeclaration: declaration,
      ExportAllDeclaration: declaration,
      ImportExpression: (/** @type {any} */ node) => check(node, node.source.value),
    };
  },
};
