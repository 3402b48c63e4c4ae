// Packages are loaded by Node.js itself and once per worker, instead of by Jest and again for each spec file, which took each file
// about a second. The workspace's own modules are loaded anew for each file. No spec may mock a package.
const { createRequire, isBuiltin } = require('node:module');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

// Jest compiles modules for the context of the environment; ours is the realm that runs already, which is no context of `node:vm`.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
  options?.parsingContext === globalThis
    ? compileFunction(code, parameters, { ...options, parsingContext: undefined })
    : compileFunction(code, parameters, options);

const isOfWorkspace = (/** @type {string} */ name) => /^[./]/.test(name) || name.startsWith('@platform/');

module.exports = class SharedPackagesRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} parameters */
  constructor(...parameters) {
    super(...parameters);
    this.resolver = parameters[2];
  }

  /**
   * @override
   * @param {string} from
   * @param {string} name
   */
  requireModuleOrMock(from, name) {
    if (isOfWorkspace(name) || isBuiltin(name) || name === '@jest/globals') return super.requireModuleOrMock(from, name);
    try {
      return createRequire(from)(name);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
      return createRequire(from)(this.resolver.resolveModule(from, name)); // it exports itself to `import` only
    }
  }
};
