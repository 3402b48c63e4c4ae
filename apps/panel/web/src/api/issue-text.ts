import type { ValidationError } from '@platform/client';

/**
 * Error message for an invalid value of a form. Types without an own text here get the message of
 * the platform, as a sentence.
 */
export function issueText({ type, msg, loc }: ValidationError): string {
  const limit = /(\d+) characters/.exec(msg)?.[1];
  switch (type) {
    case 'missing':
      return 'This field is required.';
    case 'string_too_short':
      return limit ? `Use at least ${limit} characters.` : msg;
    case 'too_short':
      return 'Choose at least one.';
    case 'string_too_long':
      return limit ? `Use at most ${limit} characters.` : msg;
    case 'value_error':
      return loc.at(-1) === 'email' ? 'Enter an e-mail address such as ada@example.com.' : asSentence(msg);
    default:
      return asSentence(msg);
  }
}

const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
