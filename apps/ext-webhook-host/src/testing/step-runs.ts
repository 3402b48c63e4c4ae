import { capabilitiesOf, parseAppDocument, type AppDocument, type JsonValue } from '@platform/app-document';
import type { RunUser } from '@platform/contracts';
import { type Effect, memoryContext, MemoryPlatform, WEBHOOK_IDENTITY } from '@platform/extension-sdk/runtime';
import { userOf } from '../context/identities.js';
import type { HandlerResult, TracedStep } from '../handlers/handler-runtime.js';
import { SecretRedactor } from '../kernel/secrets/secret-redactor.js';
import { compileApp } from '../documents/compile-app.js';
import { StepRuntimeService } from '../steps/step-runtime.service.js';

export const ADA = {
  user_id: 'usr_ada',
  email: 'ada@example.com',
  tenant_id: 'acme',
  role: 'user',
  scopes: ['*'],
} satisfies RunUser;

export interface SampleRun {
  /** Steps of one function, or of a webhook if `webhook` is true. */
  steps: unknown[];
  args?: unknown;
  webhook?: boolean;
  /** Further keys of the document. */
  app?: Record<string, unknown>;
  /** Documents in the store before the run. */
  documents?: { kind: string; id: string; data: Record<string, JsonValue> }[];
  /** Members that replace those of the context, such as `http`. */
  context?: Record<string, object>;
  signal?: AbortSignal;
}

export interface SampleOutcome extends HandlerResult {
  trace: TracedStep[];
  effects: Effect[];
}

const runtime = new StepRuntimeService();

export function documentOf({ steps, webhook = false, app = {} }: SampleRun): AppDocument {
  const kind = webhook ? 'webhook' : 'function';
  const parsed = parseAppDocument({
    app_id: 'notes',
    version: '1.0.0',
    steps: [{ id: 'f', kind, action: 'f', params: { steps } }],
    ...app,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.document;
}

/**
 * Runs steps in a context that exists only in memory. Rejects like the runtime, after it has filled
 * `trace`.
 */
export async function runSteps(sample: SampleRun, trace: TracedStep[] = []): Promise<SampleOutcome> {
  const {
    args = {},
    webhook = false,
    documents = [],
    context: instead = {},
    signal = new AbortController().signal,
  } = sample;
  const app = compileApp(documentOf(sample));
  const handler = webhook ? app.webhooks[0] : app.functions.get('f');
  if (!handler) throw new Error('The sample has no handler.');
  const effects: Effect[] = [];
  const user = userOf(webhook ? { ...ADA, user_id: WEBHOOK_IDENTITY } : ADA);
  const platform = MemoryPlatform.withSecrets(app.document, user.platform_id);
  const redactor = new SecretRedactor();
  const call = () => Promise.reject(new Error('The sample calls nothing.'));
  const capabilities = capabilitiesOf(app.document.app);
  const world = { document: app.document, kind: handler.kind, user, platform, effects, redactor, call };
  const memory = memoryContext({ ...world, capabilities });
  const whole = memoryContext({ ...world, capabilities: null });
  for (const { kind, id, data } of documents) await whole.store.set(`${kind}/${id}`, data);
  const context = new Proxy(memory, {
    get: (target, name): unknown => (name in instead ? instead[name as string] : Reflect.get(target, name)),
  });
  const result = await runtime.runHandler(handler, {
    event: args as JsonValue,
    context,
    kind: handler.kind,
    capabilities,
    signal,
    redactor,
    trace,
  });
  return { ...result, trace, effects };
}

export const step = (id: string, operation: string, params: Record<string, unknown> = {}) => {
  const [kind = '', ...action] = operation.split('.');
  return { id, kind, action: action.join('.'), params };
};
