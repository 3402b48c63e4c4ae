// Node.js itself loads packages and the workspace's own modules, once per worker, instead of Jest, which loads them again for each spec
// file: that took each file seconds. Only the spec files are Jest's. So no spec can mock a module, and what a module keeps for itself
// (`let`, `Map`) outlives the file that changed it. A package that exports itself to `import` only (`canonicalize`) needs its file in
// `moduleNameMapper` of jest.config.ts: Jest's own resolver, which is asked for it, finds no other.
// Written for jest-runtime 30.5.2. Off: take `runtime` out of jest.config.ts. docs/performance.md lists it with what else replaces the way of a library.
const Module = require('node:module');
const { dirname, join, sep } = require('node:path');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const root = dirname(dirname(__dirname));
const packages = join(root, 'node_modules') + sep;
const isOwnFile = (/** @type {string | undefined} */ file) =>
  file !== undefined && file.startsWith(root + sep) && !file.startsWith(packages);
const isOwnName = (/** @type {string} */ name) => /^[./]/.test(name) || name.startsWith('@platform/');

// Jest compiles spec files for the context of the environment; ours is the realm that runs already, which is no context of `node:vm`.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
  options?.parsingContext === globalThis
    ? compileFunction(code, parameters, { ...options, parsingContext: undefined })
    : compileFunction(code, parameters, options);

const WRITTEN_FOR = 'tools/jest/runtime.cjs was written for jest-runtime 30.5.2';

/** The runtime of the spec file that runs now: it knows where names lead to, and how a file is transpiled. */
/** @type {SharedModulesRuntime} */
let current;
/** By the file that asks and the name. */
/** @type {Map<string, string>} */
const resolved = new Map();

const loader = /** @type {any} */ (Module);
const { _resolveFilename: resolveFilename, _extensions: extensions } = loader;

loader._resolveFilename = (/** @type {string} */ name, /** @type {any} */ parent, /** @type {unknown[]} */ ...rest) => {
  const isAskedByUs = isOwnFile(parent?.filename) && !Module.isBuiltin(name);
  if (isAskedByUs && isOwnName(name)) return current.resolve(parent.filename, name);
  try {
    return resolveFilename(name, parent, ...rest);
  } catch (error) {
    if (!isAskedByUs || /** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    return current.resolve(parent.filename, name); // it exports itself to `import` only
  }
};

for (const extension of ['.ts', '.js', '.mjs', '.cjs']) {
  const load = extensions[extension] ?? extensions['.js'];
  extensions[extension] = (/** @type {any} */ module, /** @type {string} */ file) =>
    isOwnFile(file) ? module._compile(current.transpile(file), file) : load(module, file);
}

class SharedModulesRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} parameters */
  constructor(...parameters) {
    super(...parameters);
    this.resolver = parameters[2];
    this.transformer = parameters[3];
    this.coverage = parameters[5];
    const { mockState } = /** @type {any} */ (this);
    if (!this.resolver?.resolveModule || !this.transformer?.transform || !mockState?.markExplicitCjsMock) {
      throw new Error(
        `${WRITTEN_FOR}, whose constructor took the resolver third and the transformer fourth. Adapt it to the one that is installed`,
      );
    }
    mockState.markExplicitCjsMock = this.setMock; // by `jest.mock` without a factory
    current = this;
  }

  /**
   * Jest calls it for `jest.mock`, `jest.doMock` and `jest.setMock`. Jest would remember the mock, and Node.js would not ask for it.
   *
   * @override
   * @returns {never}
   */
  setMock() {
    throw new Error(
      'No module can be mocked: the spec files of a worker share them all (tools/jest/runtime.cjs). Pass a stand-in instead.',
    );
  }

  /**
   * @override
   * @param {string} from
   * @param {string} name
   */
  requireModuleOrMock(from, name) {
    if (Module.isBuiltin(name) || name === '@jest/globals') return super.requireModuleOrMock(from, name);
    const { jest } = /** @type {{ jest: unknown }} */ (super.requireModuleOrMock(from, '@jest/globals'));
    Object.assign(globalThis, { jest }); // what helpers of specs use
    return Module.createRequire(from)(name);
  }

  /**
   * @param {string} from
   * @param {string} name
   * @returns {string}
   */
  resolve(from, name) {
    const key = `${from}\n${name}`;
    const known = resolved.get(key);
    if (known) return known;
    const file = this.resolver.resolveModule(from, name);
    resolved.set(key, file);
    return file;
  }

  /**
   * @param {string} file
   * @returns {string}
   */
  transpile(file) {
    const { code, sourceMapPath } = this.transformer.transform(file, {
      ...this.coverage,
      isInternalModule: false,
      supportsDynamicImport: false,
      supportsExportNamespaceFrom: false,
      supportsStaticESM: false,
      supportsTopLevelAwait: false,
    });
    const sourceMaps = /** @type {Map<string, string>} */ (this.getSourceMaps());
    if (sourceMapPath) sourceMaps.set(file, sourceMapPath); // Jest remembers it for the files after this one
    return code;
  }
}

module.exports = SharedModulesRuntime;
