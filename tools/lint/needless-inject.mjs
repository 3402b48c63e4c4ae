/**
 * Refuses `@Inject(Things) things: Things` in the constructor of a class with a decorator:
 * TypeScript writes the parameter's class into the metadata that Nest reads. Tokens, interfaces and
 * unions are not in the metadata and need `@Inject`.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { needless: 'Nest finds {{name}} by the type of the parameter: drop @Inject.' },
  },
  create(context) {
    const services = /** @type {import('@typescript-eslint/utils').ParserServicesWithTypeInformation} */ (
      context.sourceCode.parserServices
    );

    return {
      /** @param {import('eslint').Rule.Node} node */
      'ClassDeclaration[decorators.length>0] MethodDefinition[kind="constructor"] Decorator[expression.callee.name="Inject"]'(
        node,
      ) {
        const { expression, parent } = /** @type {import('@typescript-eslint/utils').TSESTree.Decorator} */ (
          /** @type {unknown} */ (node)
        );
        const parameter = parent.type === 'TSParameterProperty' ? parent.parameter : parent;
        const type = parameter.type === 'Identifier' ? parameter.typeAnnotation?.typeAnnotation : undefined;
        const token = expression.type === 'CallExpression' ? expression.arguments[0] : undefined;
        if (token?.type !== 'Identifier' || type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier')
          return;
        if (token.name !== type.typeName.name || !services.getTypeAtLocation(type).isClass()) return;
        context.report({ node, messageId: 'needless', data: { name: token.name } });
      },
    };
  },
};
