import { createTestContext, type GivenResponse, type SentRequest } from '@platform/extension-sdk/testing';
import { createHmac } from 'node:crypto';
import extension from './extension.js';

const SECRETS = { signing_secret: 'signed by Slack', bot_token: 'xoxb-1' };

/** A bot, and the messages that it sends. `takes`: true if Slack accepts a message. */
function bot(takes = () => true) {
  const said: SentRequest[] = [];
  const http = (request: SentRequest): GivenResponse => {
    said.push(request);
    return { body: takes() ? { ok: true } : { ok: false, error: 'channel_not_found' } };
  };
  const test = createTestContext({ extension, secrets: SECRETS, http });
  let events = 0;
  const send = (sent: object, secret = SECRETS.signing_secret) => {
    const body = JSON.stringify(sent);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
    return test.webhook('events', {
      body,
      headers: { 'X-Slack-Request-Timestamp': timestamp, 'X-Slack-Signature': signature },
    });
  };
  const tell = (command: string, { event_id = `Ev${++events}`, channel = 'C1' } = {}) =>
    send({
      type: 'event_callback',
      event_id,
      event: { type: 'app_mention', channel, user: 'U1', text: `<@B1> ${command}` },
    });
  const lastSaid = () => said.at(-1)?.json;
  return { send, tell, said, lastSaid };
}

it('answers the challenge of Slack, and nobody who is not Slack', async () => {
  const { send } = bot();
  const challenge = { type: 'url_verification', challenge: 'abc' };
  expect(await send(challenge)).toEqual({ body: { challenge: 'abc' } });
  expect(await send(challenge, 'a guess')).toMatchObject({ status_code: 401 });
});

it('keeps a list for each channel', async () => {
  const { tell, said, lastSaid } = bot();
  await tell('add Water the plants');
  expect(said).toMatchObject([
    {
      url: 'https://slack.com/api/chat.postMessage',
      headers: { authorization: 'Bearer xoxb-1' },
      json: { channel: 'C1', text: 'Added: Water the plants' },
    },
  ]);
  await tell('add Feed the cat');
  await tell('add Elsewhere', { channel: 'C2' });
  await tell('list');
  expect(lastSaid()).toEqual({ channel: 'C1', text: '1. Water the plants\n2. Feed the cat' });
  await tell('done 1');
  expect(lastSaid()).toEqual({ channel: 'C1', text: 'Done: Water the plants' });
  await tell('list');
  expect(lastSaid()).toEqual({ channel: 'C1', text: '1. Feed the cat' });
  await tell('done 7');
  expect(lastSaid()).toMatchObject({ text: expect.stringContaining('There is no number 7.') });
});

it('does what comes again once', async () => {
  const { tell, said } = bot();
  for (const _time of [1, 2]) await tell('add Once', { event_id: 'Ev1' });
  expect(said).toHaveLength(1);
});

it('fails when Slack does not take the reply, so that Slack sends the event again', async () => {
  const { tell } = bot(() => false);
  await expect(tell('list')).rejects.toMatchObject({ code: 'SLACK_REFUSED', retryable: true });
});
