import { contrast, readColor } from './css-colors.js';

const ratio = (some: string, other: string): number => {
  const [a, b] = [readColor(some), readColor(other)];
  if (!a || !b) throw new Error(`${some} or ${other} is no colour`);
  return contrast(a, b);
};

describe('contrast', () => {
  // From the WebAIM contrast checker and the WCAG techniques G17 and G18.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#fff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#595959', '#ffffff', 7],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#ffff00', '#ffffff', 1.07],
    ['#808080', '#000000', 5.32],
  ])('of %s and %s is %d', (some, other, expected) => {
    expect(ratio(some, other)).toBeCloseTo(expected, 2);
    expect(ratio(other, some)).toBe(ratio(some, other));
  });

  it('tells 4.4997 from 4.5010', () => {
    expect(ratio('#e13030', '#ffffff')).toBeCloseTo(4.4997, 4);
    expect(ratio('#158484', '#ffffff')).toBeCloseTo(4.501, 4);
  });
});

describe('a colour', () => {
  it.each([
    ['#f00', '#ff0000'],
    ['#Ff0000', '#ff0000'],
    ['rgb(255 0 0)', '#ff0000'],
    ['RGB(255, 0, 0)', '#ff0000'],
    ['rgb(100% 0% 0%)', '#ff0000'],
    ['rgb( 255 0 0 )', '#ff0000'],
    ['oklch(0 0 0)', '#000000'],
    ['oklch(100% 0 0deg)', '#ffffff'],
    ['oklch(0.627955 0.257683 29.2339)', '#ff0000'],
    ['oklch(0.627955 0.257683 0.0812053turn)', '#ff0000'],
  ])('%s is %s', (css, same) => {
    const [read, expected] = [readColor(css), readColor(same)];
    expect([read?.r, read?.g, read?.b].map((part) => part?.toFixed(3))).toEqual(
      [expected?.r, expected?.g, expected?.b].map((part) => part?.toFixed(3)),
    );
  });

  it.each(['rgb(300 -20 -0.5)', 'oklch(0.7 0.4 29)', 'oklch(1.5 9 40)', `oklch(0.5 ${'9'.repeat(60)} 40)`])(
    '%s is cut off to what screens have',
    (css) => {
      const read = readColor(css);
      for (const part of [read?.r, read?.g, read?.b]) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each([
    'red',
    'transparent',
    'currentcolor',
    'inherit',
    '#ff',
    '#ff00',
    '#ff0000ff',
    '#ggg',
    'ff0000',
    'rgba(0, 0, 0, 1)',
    'rgb(0, 0, 0, 1)',
    'rgb(0 0 0 / 1)',
    'rgb(0 0 0 / none)',
    'oklch(0.5 0.1 20 / 50%)',
    'rgb(none 0 0)',
    'rgb(0 0)',
    'rgb(0, 0 0)',
    'rgb(1px 2 3)',
    'rgb(1e2 0 0)',
    'rgb(0 0 0',
    'rgb(0 0 0))',
    'rgb (0 0 0)',
    'rgb(0\t0\n0)',
    'rgb(calc(1) 0 0)',
    'rgb(from red r g b)',
    'oklch(0.5, 0.1, 20)',
    'oklch(0.5 0.1 20%)',
    'hsl(0 100% 50%)',
    'lab(50 0 0)',
    'color(display-p3 1 0 0)',
    'var(--x)',
    'url(//x)',
    ' #fff',
    '#fff\n',
    '#fff;',
    '\uff03ffffff',
    '',
  ])('is not %j', (css) => {
    expect(readColor(css)).toBeNull();
  });

  it('is refused quickly, however long it is', async () => {
    const length = 4_000_000; // quadratic time would exceed the time limit of the test
    const nearMisses = [
      '#'.padEnd(length, 'f'),
      `rgb(${' '.repeat(length)}`,
      `rgb(${'1'.repeat(length)}`,
      `oklch(${'0.1 '.repeat(length / 4)})`,
    ];
    for (const css of [...nearMisses, ...nearMisses.map((text) => text.slice(0, 100))]) {
      expect(readColor(css)).toBeNull();
      await new Promise((resolve) => setTimeout(resolve)); // lets Jest's time limit fire
    }
  });
});
