import { ApiError } from '@platform/client';
import { ServiceUnavailable } from '@platform/platform';
import { forwardHostErrors } from './host-errors.js';

const passedOn = (error: unknown) =>
  forwardHostErrors(Promise.reject(error as Error)).then(
    () => null,
    (thrown: unknown) => thrown,
  );

it('what the host refuses is refused in its words', async () => {
  const refused = new ApiError('This secret is not set.', { status: 404, code: 'secret.not_set' });
  expect(await passedOn(refused)).toMatchObject({
    status: 404,
    code: 'secret.not_set',
    message: 'This secret is not set.',
  });
});

it.each(['http_404', 'Not Found', 'secret', ''])('an answer with the code %j is not of the host', async (code) => {
  const error = await passedOn(new ApiError('Of a proxy.', { status: 404, code }));
  expect(error).toBeInstanceOf(ServiceUnavailable);
  expect(error).toMatchObject({ status: 503, code: 'extension_host_unavailable' });
});

it('what is no answer is thrown on', async () => {
  const error = new TypeError('a mistake of ours');
  expect(await passedOn(error)).toBe(error);
});
