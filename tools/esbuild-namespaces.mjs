import { buildTrick, replaceInOne } from './build-tricks.mjs';

/**
 * Replaces: for each file that imports a CommonJS library, esbuild makes a namespace with a getter
 * for each name of the library. Some hundred files import rxjs alone. With this trick a library has
 * one namespace, as in Node.js itself, or two if it is imported in both ways that esbuild knows. A
 * name that a library adds later appears at the next import.
 * Gains: see docs/performance.md.
 * Off: `SPEED_TRICKS_OFF=esbuild-namespaces npm run build`.
 */
export const esbuildNamespaces = buildTrick('esbuild-namespaces', 'esbuild', '0.28.2');

/** Beginning of esbuild's `__toESM` with `minifyWhitespace`. */
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
].join(''); // in one line, so that source maps stay correct

/**
 * Replaces esbuild's namespace function in the text of the one file that has it.
 *
 * @param {readonly string[]} texts
 * @throws Error if esbuild now writes the function differently
 */
export function withNamespacesOnce(texts) {
  return replaceInOne(texts, esbuildNamespaces, TO_NAMESPACE, TO_ONE_NAMESPACE);
}
