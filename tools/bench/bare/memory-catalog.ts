import 'reflect-metadata';
import { Controller, Get, Module, Query, Res } from '@nestjs/common';
import { CatalogQuery } from '@platform/contracts';
import { Access, GuardsModule } from '@platform/guards';
import { parseConfig, runService, serviceConfig, servicePorts } from '@platform/platform';
import type { Response } from 'express';
import { sendTagged, withEtag, type TaggedJson } from '../../../apps/registry/src/conditional-requests.js';

/**
 * A service like the registry without a database: it keeps each answer of the registry in memory
 * and repeats it.
 */
const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, process.env);
const catalogs = new Map<string, TaggedJson>();

@Controller('v1/catalog')
class MemoryCatalogController {
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  async getCatalog(@Query() { user_id = '' }: CatalogQuery, @Res() response: Response): Promise<void> {
    const known = catalogs.get(user_id) ?? (await ask(user_id));
    catalogs.set(user_id, known);
    sendTagged(response, known);
  }
}

async function ask(user: string): Promise<TaggedJson> {
  const answer = await fetch(`${process.env['REGISTRY_URL'] ?? ''}/v1/catalog?user_id=${user}`, {
    headers: { 'X-Service-Token': config.SERVICE_TOKENS[0]?.token ?? '' },
  });
  return { ...withEtag(user), json: Buffer.from(await answer.arrayBuffer()) };
}

@Module({
  controllers: [MemoryCatalogController],
  imports: [
    GuardsModule.register({ serviceTokens: config.SERVICE_TOKENS, servicePermissions: config.SERVICE_PERMISSIONS }),
  ],
})
class MemoryCatalogModule {}

await runService(() => ({ name: 'memory-catalog', config, module: MemoryCatalogModule }));
