import type { App } from '@platform/app-document';
import { ApiError, call, type AppResponse, type PlatformClient } from '@platform/client';

/**
 * Returns the developer's app, and creates it if needed. The platform takes the other fields of the
 * app from the document when it is deployed.
 *
 * @throws ApiError if the platform refuses to create it, for example because the id is in use.
 */
export async function ensureApp(client: PlatformClient, { id, title }: App): Promise<AppResponse> {
  const found = await findApp(client, id);
  if (found) return found;
  try {
    return await call(client.POST('/v1/developer/apps', { body: { app_id: id, name: title } }));
  } catch (error) {
    // An earlier attempt may have created it, if its answer was lost.
    const created = error instanceof ApiError && error.status === 409 ? await findApp(client, id) : null;
    if (created) return created;
    throw error;
  }
}

async function findApp(client: PlatformClient, appId: string): Promise<AppResponse | null> {
  try {
    return await call(client.GET('/v1/developer/apps/{app_id}', { params: { path: { app_id: appId } } }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'app.not_found') return null;
    throw error;
  }
}
