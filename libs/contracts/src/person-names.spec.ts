import { mayBecomeLink } from './person-names.js';

it.each([
  'Ada',
  'Ada Lovelace',
  "O'Hara-Smith",
  'J.R.R. Tolkien',
  'St. John',
  'Sammy Davis Jr.',
  'Ñandú',
  '李',
  'عمر',
  'Dr. Ng',
  'Louis XIV',
])('takes %s for a name', (name) => expect(mayBecomeLink(name)).toBe(false));

it.each([
  'http://evil.example',
  'Ada http://evil.example click',
  'evil.example',
  'Click evil.example/win now',
  'www.evil',
  'WWW.evil',
  'a@evil.example',
  'javascript:alert(1)',
  'mailto:a',
  '//evil',
  '\\\\evil',
  'evil\uff0eexample',
  'evil\u3002example',
  'evil\uff61example',
  'evil\u2024example',
  'evil.\u200bexample',
  'ev\u00adil.example',
  'http\uff1a\uff0f\uff0fevil',
  '<a>',
  '\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444',
])('takes %j for what a mail program could make a link of', (name) => expect(mayBecomeLink(name)).toBe(true));
