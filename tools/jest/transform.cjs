// Jest runs CommonJS, while our code is TypeScript and ES modules: it is transpiled here, so that plain `jest` works. Packages are not.
const { createHash } = require('node:crypto');
const swc = require('@swc/core');
const { version } = require('@swc/core/package.json');

const ES_MODULE = /^\s*(import\b(?!\s*\()|export\b)|\bimport\.meta\b/m;
const TYPESCRIPT = /** @type {import('@swc/core').TransformConfig} */ ({
  legacyDecorator: true,
  decoratorMetadata: true,
  useDefineForClassFields: false,
});
const RULES = 3; // raise when what is below changes

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
