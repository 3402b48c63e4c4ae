// Transpiles our code for Jest, so that plain `jest` works: Jest runs CommonJS, and our code is
// TypeScript and ES modules. Packages stay as they are unless they are ES modules.
const { createHash } = require('node:crypto');
const swc = require('@swc/core');
const { version } = require('@swc/core/package.json');

const ES_MODULE = /^\s*(import\b(?!\s*\()|export\b)|\bimport\.meta\b/m;
const TYPESCRIPT = /** @type {import('@swc/core').TransformConfig} */ ({
  legacyDecorator: true,
  decoratorMetadata: true,
  useDefineForClassFields: false,
});
const RULES = 3; // version of the rules below; raise it with each change

module.exports = {
  getCacheKey: (/** @type {string} */ source, /** @type {string} */ file) =>
    createHash('sha256').update(`${version}/${RULES}/${file}/${source}`).digest('hex'),

  process(/** @type {string} */ source, /** @type {string} */ file) {
    const isTypeScript = file.endsWith('.ts');
    if (!isTypeScript && !ES_MODULE.test(source)) return { code: source };
    const { code, map } = swc.transformSync(source, {
      filename: file,
      sourceMaps: true,
      swcrc: false,
      configFile: false,
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2022',
        keepClassNames: true,
        parser: isTypeScript ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' },
        transform: isTypeScript ? TYPESCRIPT : {},
      },
    });
    return { code, map };
  },
};
