import type { OpenAPIObject } from '@nestjs/swagger';
import { existsSync, readFileSync } from 'node:fs';

/**
 * A request that a test sent and its answer, stored under `<METHOD> <path>` (`RecordedExamples` of
 * `libs/testing`).
 */
interface Recorded {
  request?: unknown;
  status: number;
  /** Media type of the answer; JSON by default. */
  type?: string;
  response?: unknown;
}

interface Media {
  content?: Record<string, { example?: unknown }>;
}

/** File with the recorded examples of a service. */
const fileOf = (service: string): string => `docs/openapi/examples/${service}.json`;

/**
 * Adds the recorded requests and answers to a document as examples of whole bodies. Routes without
 * a record keep the examples of their fields.
 */
export function showRecorded(document: OpenAPIObject, service: string): void {
  if (!existsSync(fileOf(service))) return;
  const recorded = JSON.parse(readFileSync(fileOf(service), 'utf8')) as Record<string, Recorded>;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [
      string,
      { requestBody?: Media; responses: Record<string, Media> },
    ][]) {
      const found = recorded[`${method.toUpperCase()} ${path}`];
      if (!found) continue;
      const { request, status, type = 'application/json', response } = found;
      if (response !== undefined) show(operation.responses[String(status)], type, response);
      if (request !== undefined)
        for (const asked of Object.keys(operation.requestBody?.content ?? {}))
          show(operation.requestBody, asked, request);
    }
  }
}

function show(media: Media | undefined, type: string, example: unknown): void {
  const content = media?.content?.[type];
  if (content) content.example = example;
}
