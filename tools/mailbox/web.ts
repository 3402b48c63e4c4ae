import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { MessageStore } from './message-store.js';

const ASSETS: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/mailbox.css': { file: 'mailbox.css', type: 'text/css; charset=utf-8' },
  '/mailbox.js': { file: 'mailbox.js', type: 'text/javascript; charset=utf-8' },
};

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Policy for the HTML of a mail, which can come from anybody: no scripts, no requests, no access to
 * the page around it.
 */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'";

/** HTTP server for the mailbox's page and JSON. */
export function createWebServer(store: MessageStore, pageDirectory: string): Server {
  return createServer((request, response) => {
    const {
      status,
      type = 'text/plain; charset=utf-8',
      body = '',
      policy = "default-src 'none'",
    } = answer(store, pageDirectory, request);
    response.writeHead(status, { ...HEADERS, 'Content-Type': type, 'Content-Security-Policy': policy }).end(body);
  });
}

interface Answer {
  status: number;
  type?: string;
  body?: string | Buffer;
  policy?: string;
}

const NOTHING = json(404, { detail: 'Not found. The mails are at /api/messages.' });

function answer(store: MessageStore, pageDirectory: string, { url, method, headers }: IncomingMessage): Answer {
  // Protects against DNS rebinding: another website that resolves its own name to this address must
  // not read the mails.
  if (!isLocal(headers.host)) return { status: 403, body: 'Open the mailbox as localhost or 127.0.0.1.\n' };
  const address = `http://localhost${url}`;
  if (!URL.canParse(address)) return NOTHING;
  const { pathname, searchParams } = new URL(address);
  if (pathname === '/api/messages' && method === 'DELETE') {
    store.clear();
    return { status: 204 };
  }
  if (method !== 'GET' && method !== 'HEAD')
    return json(405, { detail: 'Only GET works here, and DELETE on /api/messages.' });
  if (pathname === '/api/messages') return json(200, store.list(searchParams.get('to') ?? undefined));
  const asset = ASSETS[pathname];
  if (asset)
    return { status: 200, type: asset.type, body: readFileSync(join(pageDirectory, asset.file)), policy: PAGE_POLICY };
  const [, id] = /^\/messages\/([\w-]+)\/html$/.exec(pathname) ?? [];
  const html = id && store.find(id)?.html;
  // The base element makes every link of the mail open in a new tab.
  if (html)
    return {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><base target="_blank">${html}`,
      policy: MAIL_POLICY,
    };
  return NOTHING;
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body, null, 2)}\n` };
}

function isLocal(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? '');
}
