import nx from '@nx/eslint-plugin';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { FOLDER_GROUPS } from './tools/lint/folder-groups.config.mjs';
import folderGroups from './tools/lint/folder-groups.mjs';
import needlessInject from './tools/lint/needless-inject.mjs';
import tenantDataOnly from './tools/lint/tenant-data-only.mjs';

const INFRA_ORDER = ['platform', 'persistence', 'messaging', 'guards'];

/**
 * Files of the gateway that read or write rows of more than one tenant, with the reason for each.
 * See docs/decisions/0009-tenant-isolation.md.
 */
const BEYOND_ONE_TENANT = [
  // Identity finds a user by an email address, a token or another credential before it knows the
  // user's tenant, and the user's own rows by their id.
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
    'credentials/gateway-credentials.service',
    'provisioning/provisioning.service',
    'registration/create-account',
    'registration/registration.service',
  ].map((file) => `identity/${file}.ts`),
  'identity/me/cases-uids.service.ts',
  // Finds a repeated request by its sender: a user or a trusted backend.
  'kernel/idempotency/**',
  // Platform administrators manage the wallets of every tenant.
  'billing/wallet/wallet-adjustments.service.ts',
  // Their jobs find a card, payment or subscription of any tenant by its id.
  'billing/payments/cards/card-expiry.worker.ts',
  'billing/payments/mails/payment-mails.service.ts',
  'billing/subscriptions/subscription-mails.service.ts',
  // Data of the platform itself: signing keys for every tenant, values sealed with its secret keys,
  // its scopes, the only function that writes to the audit log, and the check of that log.
  'identity/tokens/**',
  'kernel/sealing/**',
  'kernel/audit/record-audit.ts',
  ...['verify-audit', 'audit-links', 'audit-sealer', 'protect-audit'].map((file) => `organisation/audit/${file}.ts`),
  // Writes the sign-ins of many tenants to the audit log; each row names its tenant.
  'identity/sign-ins/**',
  // Records the calls of users of many tenants with one statement.
  'extensions/actions/action-log.service.ts',
  // Reads recent changes of the wallets of every tenant; each event names the tenant of its wallet.
  'billing/wallet/wallet-events.worker.ts',
  // Counts the successes and failures of an app for users of every tenant.
  'extensions/actions/app-outcomes.repository.ts',
  // Events of an app count towards the quota of its developer, whose apps serve every tenant.
  'extensions/events/event-quota.ts',
  // Jobs find a task of any tenant by its id.
  ...['task-states.service', 'task-events'].map((file) => `extensions/tasks/${file}.ts`),
  // Fires the rules of every tenant, each found by its id.
  'automations/firing/**',
  'organisation/scopes/system-scopes.ts',
  // Its jobs and the extension host find an event of any tenant by its id.
  'extensions/events/event-subscribers.service.ts',
  'extensions/events/platform-events.service.ts',
  // Events of every tenant get their positions in one order. A process reads the events of all
  // users and tenants that its clients follow with one statement; each event names its tenant.
  'kernel/events/*.ts',
  'extensions/events/stream/**',
  // A single cursor dispatches the events of every tenant to its endpoints. Jobs find a delivery
  // and its endpoint by id.
  ...[
    'dispatch/**',
    'delivering/**',
    'event-replays.service.ts',
    'event-position-search.ts',
    'model/pending-deliveries.ts',
  ].map((path) => `extensions/events/webhook-endpoints/${path}`),
  '**/migrations/[0-9]*-*.ts',
  'seed.ts',
  // Apps and their data belong to the platform: users of every tenant install the same apps.
  ...[
    'analytics',
    'deploys',
    'developers',
    'earnings',
    'model',
    'operations',
    'own-apps',
    'prices',
    'reach',
    'reviews',
  ].map((folder) => `apps/${folder}/**`),
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
  // Connects to the database of a tenant, not to the platform's.
  'organisation/tenants/health/postgresql-check.ts',
  '**/*.spec.ts',
  '**/*.content.ts',
  'testing/**',
].map((path) => `apps/auth-gateway/src/${path}`);

/** The same for the billing library, whose tables are in the gateway's database. */
const BILLING_BEYOND_ONE_TENANT = [
  // Wallets are found by their id, and the owner of a wallet by the user's id. Bookings, sweeps and
  // verification cover every tenant.
  'app-subscriptions/app-subscriptions.repository.ts',
  'clock/**',
  'ledger/ledger.service.ts',
  'ledger/ledger-sweep.service.ts',
  'ledger/wallets.repository.ts',
  // Payments are found by user or by the provider's id after the caller was authorized. Events of
  // the provider are about users of every tenant.
  'payments/*.ts',
  'payments/balance/**',
  'payments/declines/**',
  'payments/mails/**',
  'payments/refunds/**',
  'payments/test-credits/**',
  // Also found by wallet and by its user; the caller knows the tenant or does not need it: a
  // balance that falls below its threshold, a payment that succeeds.
  'payments/auto-topup/**',
  // Usage and the plan of a user are found by the user's id; plans belong to the platform.
  'plans/**',
  'usage/call-counts.service.ts',
  'usage/meter-counts.repository.ts',
  // Developers earn from calls of users of every tenant, and operators decide about the payouts of
  // every tenant.
  'earnings/**',
  'payouts/payout-decisions.service.ts',
  // Invoices are issued for the payments of every tenant, each by its id.
  'invoices/invoices.repository.ts',
  'seals/**',
  'verify/**',
  '**/migrations/[0-9]*-*.ts',
  '**/*.spec.ts',
  'testing/**',
].map((path) => `libs/billing/src/${path}`);

export default tseslint.config(
  // The sandbox declarations are in no tsconfig: their last line imports a file that is beside them
  // only in `support/`. The two configurations are excluded because the presets of ESLint and Vite
  // have loose types.
  {
    ignores: [
      ...[
        '**/dist/**',
        'node_modules/**',
        '.nx/**',
        '.data/**',
        '**/generated/**',
        'eslint.config.mjs',
        'apps/panel/web/vite.config.mjs',
      ],
      'libs/extension-sdk/sandbox.d.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      // Rules that find bugs, not matters of taste: numbers and errors in templates are intended,
      // and Nest's modules are classes without members.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Response classes are filled with plain objects; no code needs their prototype.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A type parameter names the type of the result where the caller chooses it:
      // `query<Row[]>(sql)`.
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
            {
              sourceTag: 'type:infra',
              onlyDependOnLibsWithTags: ['type:infra', 'type:contracts', 'type:client', 'type:testing'],
            },
            { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:contracts'] },
            { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:infra', 'type:contracts'] },
            { sourceTag: 'type:tools', onlyDependOnLibsWithTags: ['*'] },
          ],
        },
      ],
    },
  },
  {
    // TypeScript checks these files by their JSDoc. Parsed JSON and the nodes of our ESLint rules
    // are `any` or loosely typed in them.
    files: ['**/*.mjs', '**/*.cjs'],
    rules: {
      ...Object.fromEntries(
        ['argument', 'assignment', 'call', 'enum-assignment', 'enum-comparison', 'member-access', 'return'].map(
          (use) => [`@typescript-eslint/no-unsafe-${use}`, 'off'],
        ),
      ),
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/restrict-plus-operands': ['error', { allowAny: true }],
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // These files replace parts of Jest and Node.js, whose types do not describe everything that
    // exists at run time.
    files: ['tools/jest/*.cjs'],
    rules: {
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-this-alias': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // Hooks occur in plain TypeScript files, too.
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
          patterns: [{ group: ['**/*.content.js'], message: 'Test data is not shipped.' }],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    plugins: {
      platform: {
        rules: { 'folder-groups': folderGroups, 'needless-inject': needlessInject, 'tenant-data-only': tenantDataOnly },
      },
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
  // The infra libs have an order; each can import only the libs before it.
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
              message: 'An infra lib can import only the libs before it in INFRA_ORDER.',
            },
          ],
        },
      ],
    },
  })),
  {
    // Tools start, seed and describe the apps. The apps have no alias because no other code may
    // import them.
    files: ['tools/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // Specs of these services start the other services, because none does much alone. Test helpers
    // are not part of the build.
    files: [
      'apps/auth-gateway/src/testing/registry-test.ts',
      'apps/auth-gateway/src/testing/extension-platform.ts',
      'apps/registry/src/testing/registry.ts',
    ],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off', // expect.any() and similar matchers have the type any
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.object.name="jest"][callee.property.name=/^(mock|doMock|unstable_mockModule)$/]',
          message:
            'No module can be mocked: the spec files of a worker share them all (tools/jest/runtime.cjs). Pass a fake instead.',
        },
        {
          selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo)$/]',
          message:
            'A skipped test proves nothing. If a program is missing, let the test fail with its name and how to install it.',
        },
        {
          selector:
            'AssignmentExpression[left.object.property.name="settings"][left.property.name="copies"][right.value=0]',
          message: 'Pending events can still arrive. Call stopWebhooks(), which waits for them first.',
        },
      ],
    },
  },
);
