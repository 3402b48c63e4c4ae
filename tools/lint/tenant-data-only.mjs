/** Allowed members of TypeORM's database handles. Handles can also be passed on. */
const ALLOWED = new Map([
  ['DataSource', ['manager', 'transaction']],
  ['EntityManager', ['transaction']],
  ['QueryRunner', []],
  ['Repository', []],
]);
const NAMES_A_TABLE = /\b(from|into|join|update|table|truncate|copy|call|do)\b/i;
const MESSAGE =
  '{{what}} reaches the rows of every tenant. Use TenantData, or exempt the file in eslint.config.mjs with the reason (docs/decisions/0009-tenant-isolation.md).';

/**
 * Refuses statements that bypass TenantData: each other member of a DataSource, EntityManager,
 * QueryRunner or Repository (found by type, not by variable name), prepared statements, and `pg`
 * itself. Allows a constant statement that names no table, for example for an advisory lock.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: { type: 'problem', schema: [], messages: { beyond: MESSAGE } },
  create(context) {
    const services = /** @type {{ getTypeAtLocation(node: unknown): import('typescript').Type }} */ (
      context.sourceCode.parserServices
    );

    /**
     * @param {unknown} node
     * @returns {[string, readonly string[]] | undefined}
     */
    const handleOf = (node) => {
      const type = services.getTypeAtLocation(node);
      for (const part of type.isUnionOrIntersection() ? type.types : [type]) {
        const { name, declarations } = part.getSymbol() ?? {};
        const allowed = name === undefined ? undefined : ALLOWED.get(name);
        const isTypeorm = declarations?.some((declaration) =>
          declaration.getSourceFile().fileName.includes('/node_modules/typeorm/'),
        );
        if (name !== undefined && allowed && isTypeorm) return [name, allowed];
      }
      return undefined;
    };

    return {
      MemberExpression(node) {
        const [name, allowed] = handleOf(node.object) ?? [];
        if (!name || !allowed) return;
        const property = !node.computed && node.property.type === 'Identifier' ? node.property.name : '[…]';
        if (allowed.includes(property) || namesNoTable(node)) return;
        context.report({ node: node.property, messageId: 'beyond', data: { what: `${name}.${property}` } });
      },
      ObjectPattern(node) {
        const [name, allowed] = handleOf(node) ?? [];
        if (!name || !allowed) return;
        for (const property of node.properties) {
          const key =
            property.type === 'Property' && property.key.type === 'Identifier' && !property.computed
              ? property.key.name
              : '[…]';
          if (!allowed.includes(key))
            context.report({ node: property, messageId: 'beyond', data: { what: `${name}.${key}` } });
        }
      },
      ImportSpecifier(node) {
        if (node.imported.type === 'Identifier' && node.imported.name === 'queryPrepared') {
          context.report({ node, messageId: 'beyond', data: { what: 'queryPrepared' } });
        }
      },
      ImportDeclaration(node) {
        if (node.source.value === 'pg') context.report({ node, messageId: 'beyond', data: { what: 'pg' } });
      },
    };
  },
};

/** @param {import('estree').MemberExpression & import('eslint').Rule.NodeParentExtension} node */
function namesNoTable(node) {
  const { parent } = node;
  if (parent.type !== 'CallExpression' || parent.callee !== node) return false;
  const [statement] = parent.arguments;
  return statement?.type === 'Literal' && typeof statement.value === 'string' && !NAMES_A_TABLE.test(statement.value);
}
