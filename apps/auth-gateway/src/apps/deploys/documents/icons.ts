import type { AppDocument } from '@platform/app-document';
import { MAX_ICON_BYTES } from '@platform/contracts';

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan'];
const CONTAINERS = ['svg', 'g', 'defs', 'title', 'desc'];
const PAINT = ['linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask'];
/**
 * Excludes scripts, styles, links, images, foreign objects and animations. Also excludes `use`: a
 * few nested ones can draw billions of shapes.
 */
const ELEMENTS = [...CONTAINERS, ...SHAPES, ...PAINT];

const GEOMETRY =
  'viewBox width height x y x1 y1 x2 y2 cx cy r rx ry dx dy fx fy d points transform pathLength rotate textLength lengthAdjust preserveAspectRatio';
const LOOK =
  'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color clip-path clip-rule mask display visibility vector-effect paint-order shape-rendering font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing';
const PAINT_SERVERS =
  'offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits mask-type';
const ATTRIBUTES = ['xmlns', 'id', 'role', 'aria-label', ...`${GEOMETRY} ${LOOK} ${PAINT_SERVERS}`.split(' ')];

/** Reference to an element of the icon itself. */
const OWN_REFERENCE = /^url\(#[\w.:-]+\)$/;
const NAMESPACE = 'http://www.w3.org/2000/svg';
const IS_SVG = /^\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/;

/**
 * Removes everything from an SVG except shapes and paint without external references. Returns null
 * if the text is not an SVG, has a DOCTYPE or an ENTITY, or is larger than 64 KiB before or after.
 */
export async function sanitizeIcon(svg: string): Promise<string | null> {
  if (svg.length > MAX_ICON_BYTES || !IS_SVG.test(svg) || /<!(DOCTYPE|ENTITY)/i.test(svg)) return null;
  // Loaded only when needed, because the parser is large.
  const { default: sanitize } = await import('sanitize-html');
  const clean = sanitize(svg, {
    allowedTags: ELEMENTS,
    allowedAttributes: { '*': ATTRIBUTES },
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'foreignObject'],
    transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: withoutReferences(tagName, attributes) }) },
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
  }).trim();
  return clean.startsWith('<svg') && Buffer.byteLength(clean) <= MAX_ICON_BYTES ? clean : null;
}

/**
 * Returns the sanitised icon of a document that contains it as SVG. Null if there is no document,
 * it has no icon or gives only the icon's name, or `sanitizeIcon` refuses the SVG.
 */
export async function findDocumentIcon(document: AppDocument | null): Promise<string | null> {
  const icon = document?.app.icon;
  return icon?.includes('<svg') ? sanitizeIcon(icon) : null;
}

function withoutReferences(tagName: string, attributes: Record<string, string>): Record<string, string> {
  const kept = Object.entries(attributes).filter(
    ([name, value]) => name === 'xmlns' || !/[(:]/.test(value) || isHarmless(name, value),
  );
  return { ...Object.fromEntries(kept), ...(tagName === 'svg' && { xmlns: NAMESPACE }) };
}

/**
 * True if an attribute of an icon can keep a value that has a bracket or a colon: harmless CSS
 * functions, a reference inside the icon, or any `aria-label`.
 */
const isHarmless = (name: string, value: string): boolean =>
  OWN_REFERENCE.test(value.trim()) ||
  name === 'aria-label' ||
  /^((matrix|translate|scale|rotate|skewX|skewY|rgba?|hsla?)\([^():]*\)[\s,]*)+$/.test(value.trim());
