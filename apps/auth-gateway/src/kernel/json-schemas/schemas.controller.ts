import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { appDocumentSchema } from '@platform/app-document';
import { eventsSchema } from '@platform/contracts';
import { Access } from '@platform/guards';
import { allowCaching } from '@platform/platform';
import type { Response } from 'express';

const APP_DOCUMENT_SCHEMA = JSON.stringify(appDocumentSchema());
const EVENTS_SCHEMA = JSON.stringify(eventsSchema());

const MEDIA_TYPE = 'application/schema+json';
const CONTENT = { [MEDIA_TYPE]: { schema: { type: 'object', additionalProperties: true } } };

function schemaIn(response: Response, schema: string): string {
  allowCaching(response, 'public, max-age=3600, stale-while-revalidate=86400');
  response.type(MEDIA_TYPE);
  return schema;
}

@ApiTags('Developer portal')
@Controller('v1/schemas')
export class SchemasController {
  /**
   * Returns the JSON Schema (2020-12) of app documents, for editors: refer to it with `$schema`.
   * Answers 304 to a matching `If-None-Match`.
   */
  @Get('app-document.json')
  @Access('public')
  @Header('Access-Control-Allow-Origin', '*')
  @ApiOkResponse({ content: CONTENT })
  appDocument(@Res({ passthrough: true }) response: Response): string {
    return schemaIn(response, APP_DOCUMENT_SCHEMA);
  }

  /**
   * Returns the JSON Schema (2020-12) of the platform's events: the payload and the receivers of
   * each type. Answers 304 to a matching `If-None-Match`.
   */
  @Get('events.json')
  @Access('public')
  @Header('Access-Control-Allow-Origin', '*')
  @ApiOkResponse({ content: CONTENT })
  events(@Res({ passthrough: true }) response: Response): string {
    return schemaIn(response, EVENTS_SCHEMA);
  }
}
