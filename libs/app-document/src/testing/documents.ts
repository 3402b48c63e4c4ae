/** A document in the simple form with one example of each part. */
export const SIMPLE = {
  $schema: 'https://platform.example.com/v1/schemas/app-document.json',
  app_id: 'notes',
  version: '1.2.0-beta.1',
  name: 'Notes',
  description: 'Keeps notes.',
  icon: '📝',
  capabilities: ['store:write'],
  secrets: [{ name: 'hook_secret', required: true }],
  settings: [{ name: 'mail.sender', type: 'string', default: 'nobody', enum: ['nobody', 'somebody'] }],
  events: { emits: ['notes.imported'] },
  skeleton: [
    {
      section: 'recent',
      producer: {
        kind: 'declarative',
        steps: [{ id: 'list', kind: 'store', action: 'list', params: { kind: 'notes', limit: 5 } }],
      },
      alert: true,
    },
  ],
  ui: {
    panels: [
      {
        panel_id: 'all',
        slot: 'center',
        title: 'Notes',
        render: {
          kind: 'template',
          tree: { type: 'List', props: { $repeat: { list: '{{prev.docs}}', as: 'note', node: '{{note.text}}' } } },
        },
      },
    ],
  },
  modules: { main: 'export default ({ text }) => text.toUpperCase();' },
  steps: [
    { id: 'seen', kind: 'store', action: 'count', params: { kind: 'notes' } },
    {
      id: 'add',
      kind: 'function',
      action: 'add_note',
      params: {
        description: 'Adds a note.',
        params_schema: { text: { type: 'string', pattern: '^\\S' } },
        event: 'created',
        steps: [
          {
            id: 'note',
            kind: 'store',
            action: 'create',
            params: { kind: 'notes', data: { text: '{{ args.text | trim }}' } },
          },
          {
            id: 'long',
            kind: 'control',
            action: 'if',
            params: {
              if: { and: [{ field: '{{args.text}}', exists: true }, { not: { field: '{{args.text}}', eq: 'x' } }] },
              then: [{ id: 'tell', kind: 'notify', action: 'send', params: { message: 'Noted: {{args.text}}' } }],
              else: 'done',
            },
          },
          { id: 'done', kind: 'control', action: 'return', params: { data: '{{steps.note}}', summary: 'Noted.' } },
        ],
      },
    },
    {
      id: 'hook',
      kind: 'webhook',
      action: '/github/push/',
      params: {
        secret_header: 'X-Hub-Signature-256',
        steps: [
          { id: 'secret', kind: 'secret', action: 'get', params: { name: 'hook_secret' } },
          {
            id: 'check',
            kind: 'crypto',
            action: 'hmac_verify',
            params: {
              data: '{{event.body}}',
              secret: '{{steps.secret.value}}',
              signature: '{{event.headers.x-hub-signature-256}}',
              prefix: 'sha256=',
            },
          },
          {
            id: 'import',
            kind: 'call',
            action: 'add_note',
            params: { params: { text: '{{event.json.head_commit.message}}' } },
          },
          { id: 'publish', kind: 'emit', action: 'notes.pushed', params: { data: { ok: '{{steps.check.valid}}' } } },
        ],
      },
    },
    {
      id: 'nightly',
      kind: 'schedule',
      action: 'nightly',
      params: {
        cron: '@daily',
        for_each_user: 'notes',
        steps: [{ id: 'log', kind: 'log', action: 'info', params: { message: 'Night.' } }],
      },
    },
    {
      id: 'welcome',
      kind: 'event',
      action: 'marketplace.app_installed',
      params: {
        steps: [{ id: 'add', kind: 'call', action: 'notes.add_note', params: { params: { text: 'Welcome' } } }],
      },
    },
    { id: 'shout', kind: 'function', action: 'shout', params: { code: { module: 'main' } } },
    { id: 'say', kind: 'ui', action: 'send', params: { message: 'You have {{steps.seen.count}} notes.' } },
  ],
};

/** A document in the envelope form, with the parts that only this form has. */
export const ENVELOPE = {
  ir_version: '1.0',
  sdl_vocab_version: '1',
  contract_version: '1.0',
  app: {
    id: 'tasks',
    version: '0.1.0',
    title: 'Tasks',
    capabilities: ['store', 'store:write'],
    data: { task: { fields: ['title'] } },
    functions: [
      {
        name: 'add_task',
        params_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        return_schema: { type: 'object' },
        action_type: null,
        effects: ['create:task'],
        impl: {
          kind: 'declarative',
          steps: [
            { id: 'task', op: 'store.create', args: { kind: 'task', data: { title: '{{event.title}}' } } },
            {
              id: 'check',
              op: 'conditional',
              if: { field: '{{steps.task.id}}', exists: true },
              then: 'open',
              else: null,
            },
            { id: 'open', op: 'open', args: { target: 'board' } },
            {
              id: 'other',
              op: 'call',
              args: { app_id: 'notes', function: 'add_note', params: { text: '{{event.title}}' } },
            },
            { id: 'own', op: 'call', args: { function: 'clear_tasks' } },
            { id: 'told', op: 'emit', args: { type: 'tasks.added', data: {} } },
          ],
        },
      },
      {
        name: 'clear_tasks',
        impl: { kind: 'declarative', steps: [{ id: 'all', op: 'store.delete', args: { kind: 'task', where: {} } }] },
      },
      { name: 'export_tasks', action_type: 'read', impl: { kind: 'code', module: 'exports', entry: 'run' } },
    ],
    webhooks: [
      {
        path: 'in',
        method: 'GET',
        impl: { kind: 'declarative', steps: [{ id: 'ok', op: 'control.return', args: { body: 'ok' } }] },
      },
    ],
    schedules: [{ name: 'weekly', cron: '0 6 * * mon', impl: { kind: 'code', module: 'weekly' } }],
    events: {
      subscribes: [{ type: 'billing.plan_changed', handler: 'clear_tasks' }],
      emits: [
        { type: 'tasks.exported', payload_schema: { type: 'object', properties: { count: { type: 'integer' } } } },
      ],
    },
    modules: {
      exports: {
        source: "export async function run(event, ctx) {\n  return ctx.store.list('task');\n}\n",
        source_map: '{"version":3,"sources":["src/exports.ts"],"names":[],"mappings":"AAAA"}',
      },
      weekly: "import { run } from './exports.js';\nexport default (event, ctx) => run(event, ctx);\n",
    },
    skeleton: null,
    ui: null,
    automations: [{ anything: true }],
    lifecycle: { on_install: true },
  },
};
