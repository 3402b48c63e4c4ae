import type { AppDocument, DocumentIssue } from '@platform/app-document';

/** As the platform takes them for a new app. */
const APP_ID = /^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/;

/** Why nothing can be created under this id; null where something can. */
export const wrongAppId = (appId: string): string | null =>
  APP_ID.test(appId) ? null : 'The id of an app is 2 to 64 of a-z, 0-9 and "-", and neither begins nor ends with "-".';

/** What a good document may still be refused for, once an app is made for it. */
export function idIssues({ app }: AppDocument, sent: unknown): DocumentIssue[] {
  const message = wrongAppId(app.id);
  const pointer = typeof sent === 'object' && sent !== null && 'app' in sent ? '/app/id' : '/app_id';
  return message === null ? [] : [{ pointer, rule: 'value', message }];
}
