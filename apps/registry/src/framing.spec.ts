import { TestService } from '@platform/testing';
import { testFraming } from '@platform/testing/framing-suite';
import { loadConfig } from './config.js';
import { registry } from './service.js';

testFraming(() => TestService.start((env) => registry(loadConfig(env))), {
  path: '/v1/apps',
  hidden: '/v1/apps/hidden',
  next: '/v1/apps/next',
});
