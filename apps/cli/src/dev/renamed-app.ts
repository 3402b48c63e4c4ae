import type { AppDocument } from '@platform/app-document';

/**
 * The canonical document as one of another app, whose name its own events begin with. What code says of the app is up to the code.
 */
export async function renamedApp(document: AppDocument, appId: string): Promise<AppDocument> {
  const { everyStepOf } = await import('@platform/app-document');
  const renamed = structuredClone(document);
  const { app } = renamed;
  const rename = (name: string): string =>
    name.startsWith(`${document.app.id}.`) ? `${appId}${name.slice(document.app.id.length)}` : name;
  app.id = appId;
  for (const event of [...app.events.emits, ...app.events.subscribes]) event.type = rename(event.type);
  for (const step of everyStepOf(app)) if (step.kind === 'emit') step.action = rename(step.action);
  return renamed;
}
