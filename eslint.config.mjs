import nx from '@nx/eslint-plugin';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { FOLDER_GROUPS } from './tools/lint/folder-groups.config.mjs';
import folderGroups from './tools/lint/folder-groups.mjs';
import needlessInject from './tools/lint/needless-inject.mjs';
import tenantDataOnly from './tools/lint/tenant-data-only.mjs';

const INFRA_ORDER = ['platform', 'persistence', 'messaging', 'guards'];

/** Where the gateway looks beyond one tenant, and why: see docs/decisions/0009-tenant-isolation.md. */
const BEYOND_ONE_TENANT = [
  // Identity finds people by what they know or hold, before it can know whose tenant they are of, and their own rows by their id.
  ...[
    'api-keys',
    'availability',
    'cli-login',
    'login',
    'mail',
    'mail-links',
    'password-changes',
    'pending-signups',
    'sessions',
    'signup',
  ].map((folder) => `identity/${folder}/**`),
  ...[
    'accounts/lock-account',
    'credentials/gateway-credentials',
    'provisioning/provisioning',
    'registration/create-account',
    'registration/registration.service',
  ].map((file) => `identity/${file}.ts`),
  'identity/me/cases-uids.ts',
  // Knows a request again by who sent it: a user, or a trusted backend.
  'kernel/idempotency/**',
  // What administrators of the platform do with the wallets of every tenant.
  'billing/wallet/wallet-adjustments.ts',
  // Their jobs know a card, a payment or a subscription, of whichever tenant, by its id.
  'billing/payments/cards/card-expiry.ts',
  'billing/payments/mails/payment-mails.ts',
  'billing/subscriptions/subscription-mails.ts',
  // The platform's own: keys that sign for every tenant, what is sealed by its secret keys, its scopes, the audit log's one way in and its check.
  'identity/tokens/**',
  'kernel/sealing/**',
  'kernel/audit/record-audit.ts',
  ...['verify-audit', 'audit-links', 'audit-sealer', 'protect-audit'].map((file) => `organisation/audit/${file}.ts`),
  // Sign-ins of many tenants on their way into the audit log; what it writes names the tenant of each row.
  'identity/sign-ins/**',
  // Records the calls of people of many tenants with one statement.
  'extensions/actions/action-log.ts',
  // What has moved lately in the wallets of every tenant; each event names the tenant of its wallet.
  'billing/wallet/wallet-events.ts',
  // An app fails, or not, for users of every tenant.
  'extensions/actions/recent-outcomes.ts',
  // What an app says counts for its developer, whose apps are of every tenant.
  'extensions/events/event-quota.ts',
  // Jobs know a task, of whichever tenant, by its id.
  ...['task-states', 'task-events'].map((file) => `extensions/tasks/${file}.ts`),
  // Fires the rules of every tenant, each by its id.
  'automations/firing/**',
  'organisation/scopes/system-scopes.ts',
  // Its jobs, and the host of extensions, know an event, of whichever tenant, by its id.
  'extensions/events/event-subscribers.ts',
  'extensions/events/platform-events.ts',
  // Events of every tenant get their positions in one order; a process reads once those of all users and tenants that its clients follow, each of which names its own.
  'kernel/events/*.ts',
  'extensions/events/stream/**',
  // Events of every tenant are given to its endpoints by one cursor; jobs know a delivery, and its endpoint, by its id.
  ...['dispatch/**', 'delivering/**', 'event-replays.ts', 'position-at.ts', 'model/pending-deliveries.ts'].map(
    (path) => `extensions/events/webhook-endpoints/${path}`,
  ),
  '**/migrations/[0-9]*-*.ts',
  'seed.ts',
  // Apps and what is done with them are the platform's: users of every tenant install the same ones.
  ...['analytics', 'deploys', 'developers', 'earnings', 'model', 'operations', 'own-apps', 'prices', 'reach', 'reviews'].map(
    (folder) => `apps/${folder}/**`,
  ),
  ...['marketplace', 'kernel/peers/registry'].map((folder) => `${folder}/**`),
  ...[
    'access',
    'calls',
    'confirmations',
    'host-routes',
    'installs',
    'run-billing',
    'run-grants',
    'secrets',
    'system-apps',
    'user-extensions',
  ].map((folder) => `extensions/${folder}/**`),
  // Connects to the database of a tenant, not to ours.
  'organisation/tenants/health/postgresql.ts',
  '**/*.spec.ts',
  '**/*.content.ts',
  'testing/**',
].map((path) => `apps/auth-gateway/src/${path}`);

/** The same of billing, whose tables the gateway has. */
const BILLING_BEYOND_ONE_TENANT = [
  // A wallet is known by its id, and whose it is by the id of a user; what is booked, swept and verified is so for every tenant.
  'app-subscriptions/app-subscriptions.ts',
  'clock/**',
  'ledger/ledger.ts',
  'ledger/ledger-sweeps.ts',
  'ledger/wallets.ts',
  // Of a user or of the provider's id, by whoever has settled who asks; what a provider tells is about the users of every tenant.
  'payments/*.ts',
  'payments/balance/**',
  'payments/declines/**',
  'payments/mails/**',
  'payments/refunds/**',
  'payments/test-credits/**',
  // Of a wallet, too, and of its user, whose tenant the caller knows or nobody asks for: a crossing, a payment that is settled.
  'payments/auto-topup/**',
  // So is whose plan it is and who used something; plans are the platform's.
  'plans/**',
  'usage/call-counts.ts',
  'usage/meter-counts.ts',
  // Developers earn by calls of users of every tenant, and those who run the platform decide about the payouts of every tenant.
  'earnings/**',
  'payouts/payout-decisions.ts',
  // Invoices are issued for the payments of every tenant, each by its id.
  'invoices/invoices.ts',
  'seals/**',
  'verify/**',
  '**/migrations/[0-9]*-*.ts',
  '**/*.spec.ts',
  'testing/**',
].map((path) => `libs/billing/src/${path}`);

export default tseslint.config(
  // The declarations of the sandbox are in no tsconfig: their last line imports a file that is only beside them in `support/`. Nor are the
  // two configurations: ESLint's and Vite's presets have loose types.
  {
    ignores: [
      ...['**/dist/**', 'node_modules/**', '.nx/**', '.data/**', '**/generated/**', 'eslint.config.mjs', 'apps/panel/web/vite.config.mjs'],
      'libs/extension-sdk/sandbox.d.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      // Bugs, not taste: numbers and errors in templates are meant, and Nest's modules are classes without members.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Response classes are filled field by field with plain objects; nothing asks for their prototype.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A name holds the value that a caller gave a type to: `query<Row[]>(sql)`.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          depConstraints: [
            {
              sourceTag: 'type:app',
              onlyDependOnLibsWithTags: ['type:domain', 'type:infra', 'type:contracts', 'type:client', 'type:testing'],
            },
            { sourceTag: 'type:client', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'type:domain', onlyDependOnLibsWithTags: ['type:infra', 'type:contracts', 'type:testing'] },
            { sourceTag: 'type:infra', onlyDependOnLibsWithTags: ['type:infra', 'type:contracts', 'type:client', 'type:testing'] },
            { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:contracts'] },
            { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:infra', 'type:contracts'] },
            { sourceTag: 'type:tools', onlyDependOnLibsWithTags: ['*'] },
          ],
        },
      ],
    },
  },
  {
    // TypeScript checks them by their JSDoc. Parsed JSON and the nodes of ESLint's own rules are `any` or loosely typed there.
    files: ['**/*.mjs', '**/*.cjs'],
    rules: {
      ...Object.fromEntries(
        ['argument', 'assignment', 'call', 'enum-assignment', 'enum-comparison', 'member-access', 'return'].map((use) => [
          `@typescript-eslint/no-unsafe-${use}`,
          'off',
        ]),
      ),
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/restrict-plus-operands': ['error', { allowAny: true }],
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // They replace parts of Jest and of Node.js, whose types do not say what is there at run time.
    files: ['tools/jest/*.cjs'],
    rules: {
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-this-alias': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // Hooks are in plain TypeScript too.
    files: ['apps/*/web/**/*.ts', 'apps/*/web/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.flatConfigs.strict],
  },
  {
    files: ['apps/**/*.ts', 'apps/**/*.tsx', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.content.ts', 'apps/*/src/testing/**', 'libs/*/src/testing/**', 'libs/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: '@platform/testing', message: 'Test helpers are not shipped.' }],
          patterns: [{ group: ['**/*.content.js'], message: 'What tests put into a tenant is not shipped.' }],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    plugins: {
      platform: { rules: { 'folder-groups': folderGroups, 'needless-inject': needlessInject, 'tenant-data-only': tenantDataOnly } },
    },
    rules: { 'platform/needless-inject': 'error' },
  },
  {
    files: ['apps/auth-gateway/src/**/*.ts', 'libs/billing/src/**/*.ts'],
    ignores: [...BEYOND_ONE_TENANT, ...BILLING_BEYOND_ONE_TENANT],
    rules: { 'platform/tenant-data-only': 'error' },
  },
  ...FOLDER_GROUPS.map((groups) => ({
    files: [`${groups.root}/**/*.ts`],
    ignores: ['**/*.spec.ts', '**/*.content.ts'],
    rules: { 'platform/folder-groups': ['error', groups] },
  })),
  // The infra libs stand in a row, and each may use only those before it.
  ...INFRA_ORDER.map((lib, at) => ({
    files: [`libs/${lib}/**/*.ts`],
    ignores: ['**/*.spec.ts', `libs/${lib}/src/testing/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [...INFRA_ORDER.slice(at + 1), 'testing'].map((later) => `@platform/${later}`),
              message: 'Infra libs depend leftwards only.',
            },
          ],
        },
      ],
    },
  })),
  {
    // Tools start, seed and describe the apps, which have no alias since nothing else may import them.
    files: ['tools/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // The specs of these start the others too, since none is much without them. Test helpers are not built.
    files: [
      'apps/auth-gateway/src/testing/registry.ts',
      'apps/auth-gateway/src/testing/extension-platform.ts',
      'apps/registry/src/testing/registry.ts',
    ],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off', // expect.any() and its kin are typed any
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.object.name="jest"][callee.property.name=/^(mock|doMock|unstable_mockModule)$/]',
          message: 'No module can be mocked: the spec files of a worker share them all (tools/jest/runtime.cjs). Pass a stand-in instead.',
        },
        {
          selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo)$/]',
          message: 'A test that does not run proves nothing. Where a program is missing, the test says which and how to get it, and fails.',
        },
        {
          selector: 'AssignmentExpression[left.object.property.name="settings"][left.property.name="copies"][right.value=0]',
          message: 'Events under way may arrive or not, as it comes. Call silence(), which waits for them first.',
        },
      ],
    },
  },
);
