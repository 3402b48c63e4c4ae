import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';

/**
 * Serves `GET /`: name, description and links of the service, as a page if the client prefers HTML,
 * otherwise as JSON.
 *
 * @param about the `name`, the `description`, and the links: an address under each label.
 */
export function serveAbout(app: INestApplication, about: Record<string, string>): void {
  app.getHttpAdapter().get('/', (_request: Request, response: Response) => {
    response.vary('Accept').format({
      json: () => response.json(about),
      html: () => response.send(pageOf(about)),
      default: () => response.json(about),
    });
  });
}

function pageOf({ name = '', description = '', ...links }: Record<string, string>): string {
  const items = Object.entries(links).map(
    ([what, url]) => `<li>${escaped(what)}: <a href="${escaped(url)}">${escaped(url)}</a></li>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(name)}</title></head>
<body><h1>${escaped(name)}</h1><p>${escaped(description)}</p><ul>${items.join('')}</ul></body></html>
`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
