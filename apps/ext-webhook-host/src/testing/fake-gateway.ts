import { documentHash, parseAppDocument, type AppDocument } from '@platform/app-document';
import type { AppRuntimeInfo } from '@platform/contracts';
import { LocalServer } from './local-server.js';

const ROUTE = /^\/v1\/internal\/apps\/([\w-]+)\/(runtime|documents|config)(?:\/([0-9a-f]{64}))?/;

/** The gateway of a test, as the host knows it: what is deployed, and the documents. */
export class FakeGateway {
  private readonly apps = new Map<string, { info: AppRuntimeInfo; document: AppDocument; config: object }>();
  /** What was sent to it, as `METHOD path`. */
  readonly requests: string[] = [];

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<FakeGateway> {
    const server = await LocalServer.start((request, response) => {
      gateway.requests.push(`${request.method} ${request.url}`);
      request.resume();
      const [, appId = '', what] = ROUTE.exec(request.url ?? '') ?? [];
      const app = this.found(gateway, appId, what);
      response.writeHead(app ? 200 : request.method === 'POST' ? 204 : 404, { 'Content-Type': 'application/json' });
      response.end(app ? JSON.stringify(app) : request.method === 'POST' ? undefined : '{"detail":"No.","code":"app.not_found"}');
    });
    const gateway = new FakeGateway(server);
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Deploys a document as it was written; `config` is what is set for the app. The host finds it at once, or after 5 s where it has asked for the app before. */
  deploy(sent: unknown, config: object = {}): AppDocument {
    const parsed = parseAppDocument(sent);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    const { document } = parsed;
    const { id, version } = document.app;
    const info = { app_id: id, version, sha256: documentHash(document), tenant_id: 'acme', developer_id: 'usr_ada', is_active: true };
    this.apps.set(id, { info, document, config });
    return document;
  }

  sha256(appId: string): string {
    return this.apps.get(appId)?.info.sha256 ?? '';
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private static found(gateway: FakeGateway, appId: string, what: string | undefined): object | null {
    const app = gateway.apps.get(appId);
    if (!app) return null;
    if (what === 'runtime') return app.info;
    return what === 'documents' ? app.document : { config: app.config };
  }
}
