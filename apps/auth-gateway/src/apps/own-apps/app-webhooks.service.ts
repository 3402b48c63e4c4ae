import { Inject, Injectable } from '@nestjs/common';
import { methodsOf, type Webhook } from '@platform/app-document';
import { channelOf, webhookAddress, type AppWebhook } from '@platform/contracts';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';

interface Row {
  app_id: string;
  is_active: boolean;
  webhooks: Pick<Webhook, 'path' | 'method'>[];
}

/** Addresses of the webhooks of apps. */
@Injectable()
export class AppWebhooksService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PANEL_URL'>,
  ) {}

  /**
   * Returns the webhooks of the served versions, by app id: one entry for each allowed method. An
   * app without webhooks or without a served version is missing.
   */
  async findWebhooksByApp(appIds: readonly string[]): Promise<Map<string, AppWebhook[]>> {
    const rows = await this.dataSource.query<Row[]>(
      `SELECT a.app_id, a.status = 'active' AS is_active, w.webhooks
       FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('path', each -> 'path', 'method', each -> 'method')) AS webhooks
                  FROM jsonb_array_elements(v.document #> '{app,webhooks}') AS each) w
       WHERE a.app_id = ANY ($1) AND w.webhooks IS NOT NULL`,
      [appIds],
    );
    return new Map(rows.map((row) => [row.app_id, this.toWebhooks(row)]));
  }

  private toWebhooks({ app_id: appId, webhooks, ...app }: Row): AppWebhook[] {
    const channel = channelOf(app);
    return webhooks.flatMap((webhook) => {
      const { path } = webhook;
      const url = this.config.PANEL_URL + webhookAddress(appId, channel, path);
      return methodsOf(webhook).map((method) => ({ path, method, channel, url }));
    });
  }
}
