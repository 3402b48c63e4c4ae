// Jest runtime in which Node.js itself loads packages and the workspace's own modules, once per
// worker. Jest alone would load them again for each spec file, which took seconds per file; here it
// loads only the spec files. So specs cannot mock modules, and state of a module (`let`, `Map`)
// outlives the spec file that changed it. A package that exports only an ES module (`canonicalize`)
// needs its file in `moduleNameMapper` of jest.config.ts, because Jest's own resolver does not find
// it. Written for jest-runtime 30.5.2. Off: remove `runtime` from jest.config.ts.
// docs/performance.md lists this with the other replacements of library behaviour.
const Module = require('node:module');
const { dirname, join, sep } = require('node:path');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const root = dirname(dirname(__dirname));
const packages = join(root, 'node_modules') + sep;
const isOwnFile = (/** @type {string | undefined} */ file) =>
  file !== undefined && file.startsWith(root + sep) && !file.startsWith(packages);
const isOwnName = (/** @type {string} */ name) => /^[./]/.test(name) || name.startsWith('@platform/');

// Jest compiles spec files for the environment's context. Here the environment is the current
// realm, which is not a context of `node:vm`.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
  options?.parsingContext === globalThis
    ? compileFunction(code, parameters, { ...options, parsingContext: undefined })
    : compileFunction(code, parameters, options);

const WRITTEN_FOR = 'tools/jest/runtime.cjs was written for jest-runtime 30.5.2';

/** Runtime of the current spec file. It resolves names and transpiles files. */
/** @type {SharedModulesRuntime} */
let current;
/** Resolved files, by the importing file and the imported name. */
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
    if (!isAskedByUs || /** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      throw error;
    return current.resolve(parent.filename, name); // the package exports only an ES module
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
        `${WRITTEN_FOR}, whose constructor takes the resolver third and the transformer fourth. Adapt it to the installed version`,
      );
    }
    mockState.markExplicitCjsMock = this.setMock; // used by `jest.mock` without a factory
    current = this;
  }

  /**
   * Refuses mocks. Jest calls this method for `jest.mock`, `jest.doMock` and `jest.setMock`; it
   * would store the mock, but Node.js would never use it.
   *
   * @override
   * @returns {never}
   */
  setMock() {
    throw new Error(
      'No module can be mocked: the spec files of a worker share them all (tools/jest/runtime.cjs). Pass a fake instead.',
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
    Object.assign(globalThis, { jest }); // spec helpers use the global `jest`
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
    if (sourceMapPath) sourceMaps.set(file, sourceMapPath); // Jest uses it for the files after this one
    return code;
  }
}

module.exports = SharedModulesRuntime;
