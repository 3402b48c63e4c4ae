import { applyDecorators, Header } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';

/**
 * Marks a route that new clients should not use, in its description and its responses (RFC 9745).
 *
 * @param since the day, such as `2025-11-01`.
 */
export const Deprecated = (since: string): MethodDecorator =>
  applyDecorators(ApiOperation({ deprecated: true }), Header('Deprecation', `@${Date.parse(since) / 1_000}`));
