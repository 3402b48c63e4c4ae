import { buildTrick, replaceInOne } from './build-tricks.mjs';

/**
 * Replaces: esbuild's `keepNames` defines the name of a function each time that a closure of it is made, which takes a fifth of the time of a
 * call. Here a name is defined where a class or Swagger needs it: it knows a type that is looked up late by the name of its function.
 * Gains: see docs/performance.md.
 * Off: `SPEED_TRICKS_OFF=esbuild-naming npm run build`.
 */
export const esbuildNaming = buildTrick('esbuild-naming', 'esbuild', '0.28.2');

/** How esbuild writes it, with `minifyWhitespace`. */
const NAMING = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';
const NAMING_ONCE = NAMING.replace('=>', '=>target.name===value||(target.prototype===undefined&&value!=="type")?target:');

/**
 * The texts of a bundle's files, of which one says how functions get their names.
 *
 * @param {readonly string[]} texts
 * @throws Error when esbuild writes that in another way
 */
export function withNamesOnce(texts) {
  return replaceInOne(texts, esbuildNaming, NAMING, NAMING_ONCE);
}
