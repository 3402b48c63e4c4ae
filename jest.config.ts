/**
 * Node.js 22.18 and later read this TypeScript file directly; earlier versions need
 * esbuild-register, which the next line names, to compile it.
 * @jest-config-loader esbuild-register
 */
import type { Config } from 'jest';

process.setSourceMapsEnabled(false); // esbuild-register leaves source maps on, so Node.js would also read the map of each package that a test loads

/**
 * Globs of the specs in each tier, by TEST_TIER. All specs run if TEST_TIER is not set.
 * tools/jest/tiers.mjs has the same rule.
 */
const TEST_MATCH: Record<string, string[]> = {
  all: ['**/*.spec.ts'],
  quick: ['**/*.spec.ts', '!**/*.whole.spec.ts'],
  whole: ['**/*.whole.spec.ts'],
  redis: ['**/*.engines.spec.ts', '**/*.engines.whole.spec.ts'],
  'redis-short': ['**/*.engines.spec.ts'],
};
const { TEST_TIER = 'all' } = process.env;
const testMatch = TEST_MATCH[TEST_TIER];
if (!testMatch)
  throw new Error(`TEST_TIER "${TEST_TIER}" is unknown. The tiers are ${Object.keys(TEST_MATCH).join(', ')}.`);

type Project = Exclude<NonNullable<Config['projects']>[number], string>;

const shared: Project = {
  testEnvironment: '<rootDir>/tools/jest/environment.cjs',
  runtime: '<rootDir>/tools/jest/runtime.cjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  moduleNameMapper: {
    '^@platform/extension-sdk/conformance$': '<rootDir>/libs/extension-sdk/src/testing/conformance.ts',
    '^@platform/([^/]+)/([^/]+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^@platform/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^canonicalize$': '<rootDir>/node_modules/canonicalize/lib/canonicalize.js', // this package exports only an ES module: see runtime.cjs
  },
  transform: { '\\.(ts|[cm]?js)$': '<rootDir>/tools/jest/transform.cjs' },
  transformIgnorePatterns: [],
  testMatch,
};

const project = (displayName: string, folder: string): Project => ({
  ...shared,
  displayName,
  roots: [`<rootDir>/${folder}`],
});

const config: Config = {
  maxWorkers: 2,
  workerIdleMemoryLimit: '1.5GB', // each spec file leaks some tens of megabytes, until garbage collection takes all the time
  testTimeout: 90_000, // tests take three times as long while the machine also runs other programs
  testSequencer: '<rootDir>/tools/jest/sequencer.cjs',
  globalSetup: '<rootDir>/tools/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.cjs',
  projects: [
    project('auth-gateway', 'apps/auth-gateway/src'),
    project('panel', 'apps/panel'),
    project('registry', 'apps/registry/src'),
    project('ext-webhook-host', 'apps/ext-webhook-host/src'),
    project('cli', 'apps/cli/src'),
    project('app-document', 'libs/app-document/src'),
    project('billing', 'libs/billing/src'),
    project('client', 'libs/client/src'),
    project('contracts', 'libs/contracts/src'),
    project('egress', 'libs/egress/src'),
    project('examples', 'examples'),
    project('extension-sdk', 'libs/extension-sdk/src'),
    project('guards', 'libs/guards/src'),
    project('messaging', 'libs/messaging/src'),
    project('persistence', 'libs/persistence/src'),
    project('platform', 'libs/platform/src'),
    project('testing', 'libs/testing/src'),
    project('tools', 'tools'),
  ],
};

export default config;
