import { TestService } from '@platform/testing';
import { testFraming } from '@platform/testing/framing-suite';
import { loadConfig } from '../config.js';
import { extWebhookHost } from '../service.js';

testFraming(() => TestService.start((env) => extWebhookHost(loadConfig(env))), {
  path: '/v1/ext/app/webhook/in',
  hidden: '/v1/internal/runs',
  next: '/v1/ext/app/webhook/next',
});
