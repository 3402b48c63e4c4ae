import { sanitizeIcon } from './icons.js';

const svg = (content: string, attributes = 'viewBox="0 0 24 24"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;

describe('an icon', () => {
  it('keeps its shapes and its paint', async () => {
    const icon = svg(
      '<title>Notes &amp; more</title><defs><linearGradient id="a" x1="0" gradientTransform="rotate(45)"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>' +
        '<g fill="none" stroke="currentColor" stroke-width="2" transform="translate(1 2) scale(2)"><path d="M5 12h14" fill="url(#a)"></path><circle cx="1" cy="2" r="3"></circle></g>',
    );
    expect(await sanitizeIcon(icon)).toBe(icon);
    expect(await sanitizeIcon(`<?xml version="1.0"?>\n<!-- made by hand -->\n${icon}\n`)).toBe(icon);
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script of another namespace', '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'],
    ['a script in CDATA', '<title><![CDATA[</title><script>alert(1)</script>]]></title>'],
    ['a handler', '<path d="M0 0" onclick="alert(1)" ONLOAD="alert(1)"/>'],
    ['a link', '<a href="javascript:alert(1)"><path d="M0 0"/></a>'],
    ['a style', '<style>@import url(https://evil.example/x.css); path { fill: url(https://evil.example/) }</style>'],
    ['a style attribute', '<path style="fill: url(https://evil.example/)" d="M0 0"/>'],
    ['an image', '<image href="https://evil.example/x.png"/>'],
    ['foreign content', '<foreignObject><iframe src="https://evil.example/"/></foreignObject>'],
    ['an animation', '<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="d"/>'],
    ['a use, which can draw billions of shapes', '<use href="#a"/><use xlink:href="https://evil.example/x.svg#a"/>'],
    ['a filter', '<filter id="f"><feImage href="https://evil.example/x.png"/></filter>'],
    [
      'paint from elsewhere',
      '<path d="M0 0" fill="url(https://evil.example/x.svg#a)" mask=" URL( //evil.example#a )"/>',
    ],
    [
      'paint from elsewhere, in disguise',
      '<path d="M0 0" fill="&#117;rl(https://evil.example/)" stroke="u\\72l(https://evil.example/)"/>',
    ],
  ])('loses %s', async (_what, content) => {
    const clean = (await sanitizeIcon(svg(content))) ?? '';
    expect(clean).toMatch(/^<svg/);
    expect(clean.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /script>|on\w+=|javascript|evil|@import|<(a|use|image|style|set|animate|filter|f)\b/i,
    );
    expect(clean.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/:\/\//);
    // Sanitizing a clean icon again changes nothing.
    expect(await sanitizeIcon(clean)).toBe(clean);
  });

  it.each([
    ['no SVG', '<p>Hello</p>'],
    ['text before it', `x${svg('')}`],
    ['a DOCTYPE, which can hold entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('&a;')}`],
    ['more than 64 KiB', svg(`<path d="${'M0 0'.repeat(20_000)}"/>`)],
    ['more than 64 KiB of bytes', svg(`<title>${'ä'.repeat(40_000)}</title>`)],
  ])('is refused with %s', async (_what, text) => {
    expect(await sanitizeIcon(text)).toBeNull();
  });
});
