import { buildTrick, replaceInOne } from './build-tricks.mjs';

/**
 * Replaces: esbuild's `keepNames` sets the name of a function each time that a closure is created,
 * which takes a fifth of the time of a call. With this trick a name is set only if a class or
 * Swagger needs it: Swagger recognizes a lazily resolved type by the function name `type`.
 * Gains: see docs/performance.md.
 * Off: `SPEED_TRICKS_OFF=esbuild-naming npm run build`.
 */
export const esbuildNaming = buildTrick('esbuild-naming', 'esbuild', '0.28.2');

/** Text of esbuild's `__name` with `minifyWhitespace`. */
const NAMING = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';
const NAMING_ONCE = NAMING.replace(
  '=>',
  '=>target.name===value||(target.prototype===undefined&&value!=="type")?target:',
);

/**
 * Replaces esbuild's `__name` in the text of the one file that has it.
 *
 * @param {readonly string[]} texts
 * @throws Error if esbuild now writes `__name` differently
 */
export function withNamesOnce(texts) {
  return replaceInOne(texts, esbuildNaming, NAMING, NAMING_ONCE);
}
