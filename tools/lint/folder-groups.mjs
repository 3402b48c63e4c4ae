import { dirname, resolve, sep } from 'node:path';

/**
 * The groups of a project's folders.
 *
 * @typedef {object} Groups
 * @property {string} root folder that contains the groups, relative to the root of the workspace
 * @property {string[]} base files that all groups can import, and that import no group
 * @property {(string | string[])[]} order each group imports those before it; groups in one list do
 *   not import each other
 * @property {Record<string, string[]>} [within] order of the folders inside a group; each imports
 *   those before it and the group's own files
 * @property {string[]} top files and folders that assemble the groups; no group can import them
 * @property {string} page document that explains the groups
 */

/** @typedef {{ rank: number; group: string; part: number; name: string }} Place `name` is the folder's name in messages */

/** Position of groups and folders that are not listed: after all others. */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

/**
 * Position of a file. Undefined if it is outside of the project, null if it is in no group.
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
  return {
    rank: at + 1,
    group,
    part: folders.includes(second) ? folders.indexOf(second) + 1 : UNKNOWN,
    name: `${group}/${second}`,
  };
}

/**
 * @param {Place} own
 * @param {Place} other
 */
const isBefore = (own, other) => (own.group === other.group ? other.part <= own.part : other.rank < own.rank);

/**
 * Refuses imports of values from a group that is not before the file's own group. Types of later
 * groups can be imported. The rule's option is the list of groups.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      upward:
        '`{{own}}` may not import `{{other}}`, which does not come before it. Import only a type, register the feature from above (docs/architecture.md#what-a-feature-registers), or move the shared code to an earlier group. {{page}}',
      nowhere:
        'The file is in no group of {{root}}. The groups are listed in tools/lint/folder-groups.config.mjs. {{page}}',
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
      (node.specifiers?.length > 0 &&
        node.specifiers.every((/** @type {any} */ one) => (one.importKind ?? one.exportKind) === 'type'));
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
