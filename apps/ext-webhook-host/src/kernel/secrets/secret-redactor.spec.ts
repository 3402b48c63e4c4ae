import { SecretRedactor } from './secret-redactor.js';

function redactorOf(...secrets: string[]): SecretRedactor {
  const redactor = new SecretRedactor();
  secrets.forEach((secret, at) => redactor.addSecret(`s${at}`, secret));
  return redactor;
}

describe('the beginning of a text', () => {
  it('is cut behind what is blacked out', () => {
    expect(redactorOf('0123456789').redactBeginning('ab 0123456789 cd', 8)).toBe('ab [secr');
    expect(redactorOf('0123456789').redactBeginning('ab 0123456789 cd', 100)).toBe('ab [secret s0] cd');
  });

  it.each<[string, string[], string, string]>([
    ['in a half of a secret', ['0123456789'], 'ab 01234', 'ab '],
    ['in its first character', ['0123456789'], 'ab 0', 'ab '],
    ['in nothing of it', ['0123456789'], 'ab 12345', 'ab 12345'],
    ['in a whole one', ['0123456789'], 'ab 0123456789', 'ab [secret s0]'],
    ['in a whole one that begins as it ends', ['abcab'], 'x abcab', 'x '],
    ['in a half that a whole one goes before', ['abab'], 'x ababa', 'x '],
    ['in a half of a longer one that begins with a shorter', ['abcd', 'abcdefgh'], 'x abcdef', 'x '],
    [
      'in the half of the form that it has in Base64',
      ['secret-secret'],
      `x ${Buffer.from('secret-secret').toString('base64').slice(0, 8)}`,
      'x ',
    ],
    ['while nothing is secret', [], 'ab 01234', 'ab 01234'],
  ])('that is cut already %s', (_where, secrets, text, left) => {
    expect(redactorOf(...secrets).redactBeginning(text, 100, true)).toBe(left);
  });

  it('takes time in proportion to the secret, whatever it is made of', async () => {
    // Quadratic time would exceed the time limit of the test.
    const [secret, text] = [`${'a'.repeat(4_000_000)}b`, `${'a'.repeat(2_000_000)}c${'a'.repeat(700)}`];
    expect(redactorOf(secret).redactBeginning(text, 100, true)).toBe('a'.repeat(100));
    await new Promise((resolve) => setTimeout(resolve)); // lets Jest's time limit fire
  });
});
