import { Module } from '@nestjs/common';
import { connectDatabase, PersistenceModule } from '@platform/persistence';
import { parseConfig, serviceConfig, servicePorts, type ServiceDefinition } from '@platform/platform';
import { TestService, until } from '@platform/testing';
import { MessagingModule } from './messaging.module.js';
import { BroadcastService } from './broadcast.service.js';
import { QueueEngine } from './queue-engine.js';

@Module({})
class RootModule {}

function define(env: NodeJS.ProcessEnv): ServiceDefinition {
  const config = parseConfig({ ...serviceConfig, ...servicePorts(0) }, env);
  const database = { url: config.DATABASE_URL, schema: 'gateway', poolSize: 2, entities: [], migrations: [] };
  const messaging = {
    schema: database.schema,
    databaseUrl: config.DATABASE_URL,
    redisUrl: config.REDIS_URL,
    runWorkers: false,
    workersOffAfterSeconds: 60,
  };
  return {
    name: 'notifications',
    config,
    module: {
      module: RootModule,
      imports: [PersistenceModule.register(database), MessagingModule.register(messaging)],
    },
    connect: connectDatabase,
    openApi: { service: 'notifications', title: 'Notifications', description: 'Notifications.' },
  };
}

describe('a notification', () => {
  let one: TestService;
  let other: TestService;
  beforeAll(async () => {
    one = await TestService.start(define);
    other = await TestService.start(define, { sharedWith: one });
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  const listen = (service: TestService, topic: string) => {
    const heard: string[] = [];
    service.app.get(BroadcastService).subscribe(topic, (key) => heard.push(key));
    return heard;
  };
  const publish = (topic: string, keys: string[]) => one.app.get(BroadcastService).publish(topic, keys);
  /**
   * Publishes repeatedly until the process receives the notification, because earlier ones are
   * lost before it has connected.
   */
  const publishUntilHeard = (topic: string, heard: string[]) =>
    until(async () => {
      await publish(topic, ['again']);
      return heard.length > 0;
    });

  it('reaches the process that publishes at once, and every other soon', async () => {
    const here = listen(one, 'changed');
    const there = listen(other, 'changed');
    const elsewhere = listen(other, 'another topic');
    await publish('changed', ['a']);
    expect(here).toContain('a');
    await publishUntilHeard('changed', there);
    const keys = Array.from({ length: 250 }, (_value, at) => `key-${at}`);
    await publish('changed', keys);
    await until(() => there.includes('key-249'));
    expect(keys.every((key) => there.includes(key))).toBe(true);
    expect(elsewhere).toEqual([]);
  });

  it('is heard again after the connection broke', async () => {
    const there = listen(other, 'healed');
    await publishUntilHeard('healed', there);
    if (!other.app.get(QueueEngine).redis) {
      await one.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
      );
    }
    there.length = 0;
    await publishUntilHeard('healed', there);
  });
});
