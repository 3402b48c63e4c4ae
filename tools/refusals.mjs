// Finds the errors of each route in the code: every `AppError` that is created in code that the
// route's method calls or its decorators add, with literal status, code and text. The build runs
// it, because it has the TypeScript program; `tools/openapi.ts` writes the result into the
// documents.
import ts from 'typescript';

/** @typedef {{ status: number, code: string, text: string, isDetailed?: boolean }} Refusal */
/** @typedef {ts.FunctionLikeDeclaration | ts.ClassDeclaration} Unit code that is searched as a whole */

const ROUTE_DECORATORS = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete', 'Options', 'Head', 'All', 'Sse']);
/** Methods that Nest calls on a class named by a decorator. */
const CALLED_BY_NEST = new Set(['canActivate', 'intercept', 'transform']);

/**
 * Answer of our services while another service cannot be reached, by the client class that calls
 * it.
 */
/** @type {Partial<Record<string, Refusal>>} */
const AWAY = {
  RegistryClient: away('registry_unavailable', 'The app registry cannot be reached at the moment.'),
  ExtensionHostClient: away('extension_host_unavailable', 'Extensions cannot be run at the moment.'),
  GatewayClient: away('gateway_unavailable', 'The platform cannot look this up at the moment.'),
  PaymentProvider: away('payment_provider_unavailable', 'Payments cannot be made at the moment.'),
};

/**
 * @param {string} code
 * @param {string} text
 * @returns {Refusal}
 */
function away(code, text) {
  return { status: 503, code, text: `${text} Try again in a few seconds.` };
}

/**
 * Errors of each controller method, by service and `<Controller>.<method>`, sorted by status and
 * code.
 *
 * @param {ts.Program} program
 * @returns {Record<string, Record<string, Refusal[]>>}
 */
export function refusalsOf(program) {
  const checker = program.getTypeChecker();
  const files = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'));
  const heirs = heirsOf(files, checker);
  const routes = routesOf(files);
  /** @type {Map<ts.Node, { calls: Set<ts.Node>, refusals: Map<string, Refusal> }>} */
  const looked = new Map();

  /** @param {ts.Node} unit */
  function look(unit) {
    const known = looked.get(unit);
    if (known) return known;
    const found = { calls: new Set(), refusals: new Map() };
    looked.set(unit, found);
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isTypeNode(node)) return;
      if (ts.isNewExpression(node)) for (const refusal of refusalsMade(node, checker)) add(found.refusals, refusal);
      if (ts.isCallExpression(node)) {
        for (const refusal of refusalsPassed(node, checker)) add(found.refusals, refusal);
        for (const asked of passedOn(node)) for (const route of routesAsked(asked, routes)) found.calls.add(route);
        const isAway = AWAY[classCalled(node, checker) ?? ''];
        if (isAway) add(found.refusals, isAway);
      }
      if (ts.isIdentifier(node) && !isNameOfDeclaration(node))
        for (const target of targetsOf(node, checker, heirs)) found.calls.add(target);
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(unit, visit);
    return found;
  }

  /** @type {Record<string, Record<string, Refusal[]>>} */
  const services = {};
  for (const { service, controller, method } of routes) {
    const refusals = [...reachable(method, look).values()].sort(
      (a, b) => a.status - b.status || (a.code < b.code ? -1 : 1),
    );
    (services[service] ??= {})[`${controller}.${method.name.getText()}`] = refusals;
  }
  return services;
}

/** @param {readonly ts.SourceFile[]} files */
function routesOf(files) {
  return files.flatMap((file) => {
    const service = /\/apps\/([\w-]+)\//.exec(file.fileName)?.[1];
    const controllers = file.statements
      .filter(ts.isClassDeclaration)
      .filter((one) => decoratorNames(one).includes('Controller'));
    if (!service) return [];
    return controllers.flatMap((controller) =>
      controller.members
        .filter(ts.isMethodDeclaration)
        .filter((method) => decoratorNames(method).some((name) => ROUTE_DECORATORS.has(name)))
        .map((method) => ({ service, controller: controller.name?.text ?? '', method })),
    );
  });
}

/**
 * Routes of the extension host that a method of its client calls. The route method has the same
 * name, or a name that ends with it.
 *
 * @param {string} asked
 * @param {ReturnType<typeof routesOf>} routes
 */
function routesAsked(asked, routes) {
  const ends = asked.charAt(0).toUpperCase() + asked.slice(1);
  return routes
    .filter(
      ({ service, method }) =>
        service === 'ext-webhook-host' && (method.name.getText() === asked || method.name.getText().endsWith(ends)),
    )
    .map(({ method }) => method);
}

/**
 * Name of the class whose method is called.
 *
 * @param {ts.CallExpression} call
 * @param {ts.TypeChecker} checker
 */
function classCalled({ expression }, checker) {
  return ts.isPropertyAccessExpression(expression)
    ? checker.getTypeAtLocation(expression.expression).getSymbol()?.name
    : undefined;
}

/**
 * Methods of the extension host's client in `forwardHostErrors(this.host.setSecret(…))`;
 * `forwardHostErrors` returns the host's errors unchanged.
 *
 * @param {ts.CallExpression} call
 * @returns {string[]}
 */
function passedOn(call) {
  if (call.expression.getText() !== 'forwardHostErrors') return [];
  /** @type {string[]} */
  const asked = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && /\bhost$/.test(node.expression.getText())) asked.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  call.arguments.forEach(visit);
  return asked;
}

/**
 * @param {ts.Node} from
 * @param {(unit: ts.Node) => { calls: Set<ts.Node>, refusals: Map<string, Refusal> }} look
 */
function reachable(from, look) {
  /** @type {Map<string, Refusal>} */
  const refusals = new Map();
  const seen = new Set([from]);
  for (const unit of seen) {
    const found = look(unit);
    for (const refusal of found.refusals.values()) add(refusals, refusal);
    for (const called of found.calls) seen.add(called); // a Set also iterates over items that are added meanwhile
  }
  return refusals;
}

/**
 * Adds the error if its status and code are new. One code can have several texts; the first is
 * kept.
 *
 * @param {Map<string, Refusal>} refusals
 * @param {Refusal} refusal
 */
function add(refusals, refusal) {
  const key = `${refusal.status} ${refusal.code}`;
  if (!refusals.has(key)) refusals.set(key, refusal);
}

/**
 * Errors of `new AppError(404, 'app.not_found', 'There is no such app.')`. Ignores a status or code
 * that is not literal or is a union of more than six values.
 *
 * @param {ts.NewExpression} node
 * @param {ts.TypeChecker} checker
 * @returns {Refusal[]}
 */
function refusalsMade(node, checker) {
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'AppError') return [];
  const [status, code, text] = node.arguments ?? [];
  if (!status || !code) return [];
  return literals(status, checker, Number).flatMap((number) =>
    literals(code, checker, String).map((name) => ({
      status: number,
      code: name,
      text: text ? textOf(text, checker) : '',
      ...detailed(node),
    })),
  );
}

/**
 * Marks errors whose `detail` in the answer is an object.
 *
 * @param {ts.NewExpression} made
 */
const detailed = (made) =>
  /\bdetails: \{ detail\b/.test(made.arguments?.[3]?.getText() ?? '') ? { isDetailed: true } : {};

/**
 * Errors of a call whose function creates an error from its parameters, such as
 * `Errors.limited('key.too_many', 'You have too many.', 60)`.
 *
 * @param {ts.CallExpression} call
 * @param {ts.TypeChecker} checker
 * @returns {Refusal[]}
 */
function refusalsPassed(call, checker) {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  const body = declaration && 'body' in declaration ? declaration.body : undefined;
  if (!declaration || !body || declaration.getSourceFile().isDeclarationFile) return [];
  /** @type {Refusal[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'AppError') {
      const [status, code, text] = (node.arguments ?? []).map(
        (argument) => passedFor(argument, declaration, call) ?? argument,
      );
      const isPassed = node.arguments?.some((argument) => passedFor(argument, declaration, call));
      if (status && code && isPassed) {
        for (const number of literals(status, checker, Number)) {
          for (const name of literals(code, checker, String)) {
            found.push({ status: number, code: name, text: text ? textOf(text, checker) : '', ...detailed(node) });
          }
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/**
 * @param {ts.Expression} argument
 * @param {ts.SignatureDeclaration | ts.JSDocSignature} declaration
 * @param {ts.CallExpression} call
 */
function passedFor(argument, declaration, call) {
  if (!ts.isIdentifier(argument)) return undefined;
  const at = declaration.parameters.findIndex(({ name }) => ts.isIdentifier(name) && name.text === argument.text);
  if (at < 0) return undefined;
  const parameter = /** @type {ts.ParameterDeclaration} */ (declaration.parameters[at]);
  return call.arguments[at] ?? parameter.initializer;
}

/**
 * Possible values of an expression, if its type lists them.
 *
 * @template T
 * @param {ts.Expression} expression
 * @param {ts.TypeChecker} checker
 * @param {(value: unknown) => T} as
 * @returns {T[]}
 */
function literals(expression, checker, as) {
  const type = checker.getTypeAtLocation(expression);
  const types = type.isUnion() ? type.types : [type];
  const kind = as(0) === /** @type {unknown} */ (0) ? ts.TypeFlags.NumberLiteral : ts.TypeFlags.StringLiteral;
  if (types.length > 6 || !types.every((one) => one.flags & kind)) {
    const own = ts.isIdentifier(expression) ? checker.getSymbolAtLocation(expression)?.valueDeclaration : undefined;
    return own && ts.isParameter(own) && own.initializer ? literals(own.initializer, checker, as) : [];
  }
  return types.map((one) => as(/** @type {ts.LiteralType} */ (one).value));
}

/**
 * Text of the message, with `…` for each inserted value.
 *
 * @param {ts.Expression} text
 * @param {ts.TypeChecker} checker
 * @returns {string}
 */
function textOf(text, checker) {
  if (ts.isStringLiteralLike(text)) return text.text;
  if (ts.isTemplateExpression(text))
    return text.head.text + text.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (ts.isBinaryExpression(text)) return textOf(text.left, checker) + textOf(text.right, checker);
  const type = checker.getTypeAtLocation(text);
  return type.isStringLiteral() ? type.value : '…';
}

/**
 * Functions that a name can refer to. If an interface or an abstract class only declares it, these
 * are all implementations.
 *
 * @param {ts.Identifier} name
 * @param {ts.TypeChecker} checker
 * @param {Map<ts.Symbol, Set<ts.ClassDeclaration>>} heirs
 * @returns {ts.Node[]}
 */
function targetsOf(name, checker, heirs) {
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && ts.isShorthandPropertyAssignment(name.parent))
    symbol = checker.getShorthandAssignmentValueSymbol(name.parent);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return (symbol?.declarations ?? []).flatMap((declaration) => {
    if (declaration.getSourceFile().isDeclarationFile) return [];
    if (ts.isClassDeclaration(declaration)) return calledOfClass(name, declaration);
    if (
      ts.isVariableDeclaration(declaration) ||
      ts.isPropertyAssignment(declaration) ||
      ts.isPropertyDeclaration(declaration)
    ) {
      const { initializer } = declaration;
      const isPickedFrom = ts.isElementAccessExpression(name.parent) && name.parent.expression === name;
      return initializer && (isWorthALook(initializer) || (isPickedFrom && ts.isObjectLiteralExpression(initializer)))
        ? [initializer]
        : [];
    }
    const isOnlyDeclared =
      ts.isMethodSignature(declaration) || ts.isPropertySignature(declaration) || isAbstract(declaration);
    if (isOnlyDeclared || ts.isMethodDeclaration(declaration)) {
      const overriding = overriders(declaration, checker, heirs);
      return isOnlyDeclared ? overriding : [declaration, ...overriding];
    }
    return ts.isFunctionLike(declaration) && 'body' in declaration ? [declaration] : [];
  });
}

/** @param {ts.Expression} initializer */
const isWorthALook = (initializer) =>
  ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer) || ts.isCallExpression(initializer);

/** @param {ts.Node} declaration */
const isAbstract = (declaration) =>
  ts.isMethodDeclaration(declaration) &&
  Boolean(declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword));

/**
 * Members of a class that run where it is named: its constructor after `new`, and the methods that
 * Nest calls if a decorator names it.
 *
 * @param {ts.Identifier} name
 * @param {ts.ClassDeclaration} declaration
 * @returns {ts.Node[]}
 */
function calledOfClass(name, declaration) {
  if (ts.isNewExpression(name.parent) && name.parent.expression === name)
    return declaration.members.filter(ts.isConstructorDeclaration);
  const inDecorator =
    ts.isCallExpression(name.parent) &&
    ['UseGuards', 'UseInterceptors', 'UsePipes', 'Body', 'Query', 'Param'].includes(name.parent.expression.getText());
  return inDecorator
    ? declaration.members.filter(
        (member) => ts.isMethodDeclaration(member) && CALLED_BY_NEST.has(member.name.getText()),
      )
    : [];
}

/**
 * @param {ts.Declaration} declaration
 * @param {ts.TypeChecker} checker
 * @param {Map<ts.Symbol, Set<ts.ClassDeclaration>>} heirs
 * @returns {ts.Node[]}
 */
function overriders(declaration, checker, heirs) {
  const owner = /** @type {ts.Node & { name?: ts.Identifier }} */ (declaration.parent);
  const symbol = owner.name && checker.getSymbolAtLocation(owner.name);
  const name = /** @type {ts.NamedDeclaration} */ (declaration).name?.getText();
  if (!symbol) return [];
  return [...(heirs.get(symbol) ?? [])].flatMap((heir) =>
    heir.members.filter((member) => member.name?.getText() === name),
  );
}

/**
 * Classes that extend or implement a class or interface of ours, directly or indirectly.
 *
 * @param {readonly ts.SourceFile[]} files
 * @param {ts.TypeChecker} checker
 */
function heirsOf(files, checker) {
  /** @type {Map<ts.Symbol, Set<ts.ClassDeclaration>>} */
  const heirs = new Map();
  /**
   * Records `heir` for all bases of `of`.
   *
   * @param {ts.ClassDeclaration | ts.InterfaceDeclaration} of
   * @param {ts.ClassDeclaration} heir
   */
  const note = (of, heir) => {
    for (const { expression } of (of.heritageClauses ?? []).flatMap(({ types }) => types)) {
      let symbol = checker.getSymbolAtLocation(expression);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      if (!symbol) continue;
      const known = heirs.get(symbol) ?? new Set();
      heirs.set(symbol, known.add(heir));
      for (const declaration of symbol.declarations ?? []) {
        if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) note(declaration, heir);
      }
    }
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isClassDeclaration(node)) note(node, node);
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  return heirs;
}

/** @param {ts.Identifier} node */
const isNameOfDeclaration = (node) =>
  /** @type {{ name?: ts.Node }} */ (node.parent).name === node &&
  !ts.isPropertyAccessExpression(node.parent) &&
  !ts.isShorthandPropertyAssignment(node.parent);

/** @param {ts.HasDecorators} node */
function decoratorNames(node) {
  return (ts.getDecorators(node) ?? []).map(({ expression }) =>
    (ts.isCallExpression(expression) ? expression.expression : expression).getText(),
  );
}
