import { buildTrick, replaceInOne } from './build-tricks.mjs';

/**
 * Replaces: esbuild makes a namespace with a getter for each name of a CommonJS library for every file that imports the library: rxjs alone is
 * imported by some hundred files. Here a library has one namespace, as with Node.js itself (two, where
 * it is imported in both of the ways that esbuild knows). A name that a
 * library gets later is added at the next import.
 * Gains: see docs/performance.md.
 * Off: `SPEED_TRICKS_OFF=esbuild-namespaces npm run build`.
 */
export const esbuildNamespaces = buildTrick('esbuild-namespaces', 'esbuild', '0.28.2');

/** How esbuild begins its `__toESM`, with `minifyWhitespace`. */
const TO_NAMESPACE = 'var __toESM=(mod,isNodeMode,target)=>(';
const TO_ONE_NAMESPACE = [
  'var __namespaces=[new WeakMap(),new WeakMap()],',
  '__toESM=(mod,isNodeMode)=>{',
  'if(Object(mod)!==mod)return __newNamespace(mod,isNodeMode);',
  'const known=__namespaces[isNodeMode?1:0];',
  'if(!known.has(mod))known.set(mod,__newNamespace(mod,isNodeMode));',
  'else __copyProps(known.get(mod),mod);',
  'return known.get(mod);},',
  '__newNamespace=(mod,isNodeMode,target)=>(',
].join(''); // in one line, for the maps

/**
 * The texts of a bundle's files, of which one says how a library in CommonJS gets its namespace.
 *
 * @param {readonly string[]} texts
 * @throws Error when esbuild writes that in another way
 */
export function withNamespacesOnce(texts) {
  return replaceInOne(texts, esbuildNamespaces, TO_NAMESPACE, TO_ONE_NAMESPACE);
}
