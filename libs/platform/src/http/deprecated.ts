import { applyDecorators, Header } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

/**
 * Marks a route as deprecated in the OpenAPI document, and by the header `Deprecation` (RFC 9745)
 * in all its responses except those of guards that refuse the request.
 *
 * @param since the day, such as `2025-11-01`.
 */
export const Deprecated = (since: string): MethodDecorator =>
  applyDecorators(ApiOperation({ deprecated: true }), Header('Deprecation', `@${Date.parse(since) / 1_000}`));
