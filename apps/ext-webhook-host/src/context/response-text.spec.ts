import { responseValue } from './response-text.js';

const CZECH = Buffer.from([0x9e, 0x6c, 0x75, 0x9d]); // žluť in windows-1250
const CAFE = Buffer.from([0x63, 0x61, 0x66, 0xe9]); // café in ISO-8859-1
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('the text of a response', () => {
  it.each<[string | undefined, Buffer, string]>([
    ['text/plain; charset=ISO-8859-1', CAFE, 'café'],
    ['text/plain; charset="iso-8859-1"', CAFE, 'café'],
    ["text/plain; charset='latin1'", CAFE, 'café'],
    ['text/plain;CHARSET=Windows-1250', CZECH, 'žluť'],
    ['text/plain; format=flowed; charset = windows-1250 ; delsp=yes', CZECH, 'žluť'],
    ['text/html, text/plain; charset=windows-1250', CZECH, 'žluť'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['text/plain; charset=utf-8', Buffer.from('žluť'), 'žluť'],
    ['text/plain; charset=UTF8', Buffer.from('žluť'), 'žluť'],
    ['text/plain; charset=nobody-knows', Buffer.from('žluť'), 'žluť'],
    ['text/plain; charset=', Buffer.from('žluť'), 'žluť'],
    [`text/plain; charset=${' '.repeat(64_000)}latin1;`, Buffer.from('žluť'), 'žluť'], // in linear time
    ['text/plain', Buffer.from('žluť'), 'žluť'],
    ['', Buffer.from('žluť'), 'žluť'],
    [undefined, Buffer.from('žluť'), 'žluť'],
    ['text/plain', CAFE, 'caf\ufffd'],
    ['text/plain', Buffer.from('\ufeffžluť'), 'žluť'],
    ['text/plain; charset=iso-8859-1', Buffer.from('\ufeffžluť'), 'žluť'],
    ['text/plain', utf16('žluť'), 'žluť'],
    ['text/plain; charset=utf-16be', Buffer.from('žluť', 'utf16le').swap16(), 'žluť'],
    [
      'text/xml',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1250"?><a>'), CZECH]),
      '<?xml version="1.0" encoding="windows-1250"?><a>žluť',
    ],
    [
      'text/html',
      Buffer.concat([Buffer.from('<meta charset=windows-1250>'), CZECH]),
      '<meta charset=windows-1250>žluť',
    ],
    ['text/html', Buffer.from('<meta charset="utf-16">žluť'), '<meta charset="utf-16">žluť'],
    ['text/html; charset=utf-8', Buffer.from('<meta charset=windows-1250>žluť'), '<meta charset=windows-1250>žluť'],
    ['text/plain', Buffer.alloc(0), ''],
  ])('of %s', (type, bytes, text) => expect(responseValue(type, bytes)).toBe(text));
});

describe('JSON of a response', () => {
  it.each<[string, Buffer]>([
    ['application/json', Buffer.from('{"a":"ž"}')],
    ['Application/JSON; charset=UTF-8', Buffer.from('{"a":"ž"}')],
    ['application/json;charset=iso-8859-1', Buffer.from('{"a":"ž"}')],
    ['application/json; charset=windows-1250', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0x9e, 0x22, 0x7d])],
    ['application/json', Buffer.from('\ufeff{"a":"ž"}')],
    ['application/json', utf16('{"a":"ž"}')],
    ['application/json, application/json', Buffer.from('{"a":"ž"}')],
    ['text/json', Buffer.from('{"a":"ž"}')],
    ['application/vnd.api+json; ext="https://a/b,c"', Buffer.from('{"a":"ž"}')],
    [' application/json ;', Buffer.from('{"a":"ž"}')],
  ])('is read: %s', (type, bytes) => expect(responseValue(type, bytes)).toEqual({ a: 'ž' }));

  it.each(['application/jsonp', 'text/plain', 'application/x-ndjson', 'json', '', 'application/json/x'])(
    'is a text where the type is %j',
    (type) => {
      expect(responseValue(type, Buffer.from('[1]'))).toBe('[1]');
    },
  );
});
