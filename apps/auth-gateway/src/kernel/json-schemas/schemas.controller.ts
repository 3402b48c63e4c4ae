import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { appDocumentSchema } from '@platform/app-document';
import { Access } from '@platform/guards';
import { allowCaching } from '@platform/platform';
import type { Response } from 'express';

const APP_DOCUMENT_SCHEMA = JSON.stringify(appDocumentSchema());

@ApiTags('Developer portal')
@Controller('v1/schemas')
export class SchemasController {
  /** The JSON Schema (2020-12) of app documents, for editors: refer to it with `$schema`. Answers 304 to a matching `If-None-Match`. */
  @Get('app-document.json')
  @Access('public')
  @Header('Access-Control-Allow-Origin', '*')
  @ApiOkResponse({ content: { 'application/schema+json': { schema: { type: 'object', additionalProperties: true } } } })
  appDocument(@Res({ passthrough: true }) response: Response): string {
    allowCaching(response, 'public, max-age=3600, stale-while-revalidate=86400');
    response.type('application/schema+json');
    return APP_DOCUMENT_SCHEMA;
  }
}
