import { TestService } from '@platform/testing';
import { testFraming } from '@platform/testing/framing-suite';
import { loadConfig } from '../config.js';
import { authGateway } from '../service.js';

testFraming(() => TestService.start((env) => authGateway(loadConfig(env))), {
  path: '/v1/auth/login',
  hidden: '/v1/auth/me',
  next: '/v1/auth/sessions',
});
