import type { AppDocument, Implementation } from '@platform/app-document';
import type { CallKind } from '@platform/extension-sdk/runtime';
import { appCode, type CodeHandler } from '../code/host/code-handler.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import { deepFreeze } from '../handlers/json-size.js';
import { compileSteps, type Program } from '../steps/program.js';
import type { StepHandler } from '../steps/step-handler.js';

/**
 * Prepares a document from `parseAppDocument` for running. Steps are compiled at their first run.
 * Freezes the document, because runs get parts of it.
 */
export function compileApp(document: AppDocument): CompiledApp {
  const { functions, webhooks, schedules, events, modules = {} } = deepFreeze(document).app;
  const code = appCode(modules);
  const handler = (kind: CallKind, name: string, impl: Implementation): StepHandler | CodeHandler => {
    if (impl.kind === 'code') return { kind, name, code: { module: impl.module, entry: impl.entry, app: code } };
    let program: Program | null = null;
    return { kind, name, program: () => (program ??= compileSteps(impl.steps)) };
  };
  return {
    document,
    functions: new Map(
      functions.map((definition) => [
        definition.name,
        { ...handler('function', definition.name, definition.impl), definition },
      ]),
    ),
    webhooks: webhooks.map((definition) => ({ ...handler('webhook', definition.path, definition.impl), definition })),
    schedules: new Map(
      schedules.map((definition) => [
        definition.name,
        { ...handler('schedule', definition.name, definition.impl), definition },
      ]),
    ),
    events: new Map(
      events.subscribes.map((definition) => [
        definition.type,
        { ...handler('event', definition.type, definition.impl), definition },
      ]),
    ),
  };
}
