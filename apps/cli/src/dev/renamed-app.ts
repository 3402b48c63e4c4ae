import type { AppDocument } from '@platform/app-document';

/**
 * Returns a copy of the document for another app id. Event types that begin with the old id begin
 * with the new one. Ids inside of code stay unchanged.
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
