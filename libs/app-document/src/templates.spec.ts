import { isWhole, parseTemplate, TemplateError } from './index.js';

describe('a template', () => {
  it.each([
    ['', ['']],
    ['no braces { } }}', ['no braces { } }}']],
    ['{{event}}', [{ path: ['event'], literal: null, filters: [] }]],
    ['{{ steps.a.docs.0.x-y }}', [{ path: ['steps', 'a', 'docs', '0', 'x-y'], literal: null, filters: [] }]],
    ['Hi {{args.name}}!', ['Hi ', { path: ['args', 'name'], literal: null, filters: [] }, '!']],
    [
      "{{ event.query_params['hub.challenge'] }}",
      [{ path: ['event', 'query_params', 'hub.challenge'], literal: null, filters: [] }],
    ],
    [
      '{{prev["a b"].c["d]"]|upper}}',
      [{ path: ['prev', 'a b', 'c', 'd]'], literal: null, filters: [{ name: 'upper', argument: null }] }],
    ],
    ['{{args.tags[].x[0]}}', [{ path: ['args', 'tags[]', 'x[0]'], literal: null, filters: [] }]],
    ['{{"{{"}}', [{ path: null, literal: '{{', filters: [] }]],
    [
      "{{ prev.x|default:'a | b }}' | upper }}",
      [
        {
          path: ['prev', 'x'],
          literal: null,
          filters: [
            { name: 'default', argument: 'a | b }}' },
            { name: 'upper', argument: null },
          ],
        },
      ],
    ],
    [
      '{{args.n | default: -1.5}}',
      [{ path: ['args', 'n'], literal: null, filters: [{ name: 'default', argument: -1.5 }] }],
    ],
    [
      '{{args.n | default: null}}',
      [{ path: ['args', 'n'], literal: null, filters: [{ name: 'default', argument: null }] }],
    ],
  ])('%s', (text, parts) => {
    expect(parseTemplate(text)).toEqual(parts);
  });

  it.each([
    ['{{', 'Expected a name.'],
    ['{{}}', 'Expected a name before "}}".'],
    ['{{a.}}', 'Expected a name before "}}".'],
    ['{{a b}}', 'Expected "}}" before "b}}".'],
    ['{{#if a}}x', 'Expected "}}" before "a}}x".'],
    ['{{a | shout}}', 'There is no filter "shout". Known filters: default, count, format, json, lower, upper, trim.'],
    ['{{a | default: b}}', 'An argument must be a quoted text, a number, true, false or null.'],
    ['{{a | default: "b}}', 'A quoted text has no end.'],
    ['{{a.__proto__.b}}', '"__proto__" cannot be part of a path.'],
    ['{{a["__proto__"]}}', '"__proto__" cannot be part of a path.'],
    ['{{a["b}}', 'A quoted text has no end.'],
    ['{{a["b"}}', 'Expected "]" before "}}".'],
    ['{{["a"]}}', 'Expected a name before "["a"]}}".'],
  ])('is not %s', (text, message) => {
    expect(() => parseTemplate(text)).toThrow(new TemplateError(message));
  });

  it('keeps the type of its value when nothing stands around it', () => {
    expect(['{{a}}', ' {{a}}', '{{a}}{{b}}', 'a'].map((text) => isWhole(parseTemplate(text)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
