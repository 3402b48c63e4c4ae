// Parts of the workspace, in each of which the frequencies of words are counted.

/** @typedef {object} Group @property {string} name @property {RegExp} files */

/** The first that a file belongs to counts. @type {readonly Group[]} */
export const GROUPS = [
  { name: 'decisions', files: /^docs\/(decisions\/.*|attacks)\.md$/ },
  {
    name: 'operating',
    files:
      /^(README|CONTRIBUTING|SECURITY)\.md$|^docs\/(operations\/.*|deployment|kubernetes|images|configuration|performance|glossary)\.md$/,
  },
  { name: 'documents', files: /\.md$/ },
  { name: 'OpenAPI documents', files: /^docs\/openapi\/[a-z-]+\.json$/ },
  { name: 'specs', files: /\.spec\.tsx?$|\/testing\// },
  { name: 'extensions', files: /^apps\/auth-gateway\/src\/extensions\// },
  { name: 'identity', files: /^apps\/auth-gateway\/src\/(identity|organisation|kernel)\// },
  { name: 'apps', files: /^apps\/auth-gateway\// },
  { name: 'host', files: /^apps\/ext-webhook-host\// },
  { name: 'registry', files: /^apps\/registry\// },
  { name: 'panel', files: /^apps\/panel\// },
  { name: 'command line', files: /^apps\/cli\// },
  { name: 'billing', files: /^libs\/billing\// },
  { name: 'contracts', files: /^libs\/(contracts|app-document)\// },
  { name: 'SDK', files: /^libs\/(extension-sdk|client)\// },
  { name: 'platform', files: /^libs\// },
  { name: 'tools', files: /./ },
];

/** Documents that need not address their reader: lists of facts for engineers. */
export const WITHOUT_READER = /^docs\/(decisions\/|attacks\.md$)/;

/** Migrations that have run are never changed; what others wrote and what is generated is not ours. */
export const LEFT_OUT = /\/migrations\/|\/generated\/|^docs\/openapi\/examples\/|\.d\.ts$/;
