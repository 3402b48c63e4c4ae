import type { AppDocument, DocumentIssue } from '@platform/app-document';

/** The pattern that the platform requires for ids of new apps. */
const APP_ID = /^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/;

/**
 * An error message if the id does not have the form that the platform requires for new apps; null
 * otherwise. Does not check that the id is free.
 */
export const wrongAppId = (appId: string): string | null =>
  APP_ID.test(appId)
    ? null
    : 'The id of an app must have 2 to 64 characters of a-z, 0-9 and "-", and must not begin or end with "-".';

/**
 * Returns an issue if the id in a valid document does not have the form of an id for a new app: the
 * platform refuses such an id when it creates the app. Empty otherwise.
 *
 * @param sent the document as it was written; it decides where the issue points to.
 */
export function idIssues({ app }: AppDocument, sent: unknown): DocumentIssue[] {
  const message = wrongAppId(app.id);
  const pointer = typeof sent === 'object' && sent !== null && 'app' in sent ? '/app/id' : '/app_id';
  return message === null ? [] : [{ pointer, rule: 'value', message }];
}
