import type ts from 'typescript';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileIssue } from '../app-document/document-file.js';
import { hintFor } from './hints.js';

type TypeScript = typeof ts;

const SDK = '@platform/extension-sdk';
const isJavaScript = (file: string): boolean => /\.[cm]?jsx?$/.test(file);

/**
 * Type-checks the source of an extension and its imports, against the SDK of this command and the
 * globals of the sandbox (no Node.js, no browser). Strict, unless the project's `tsconfig.json`
 * says otherwise. For JavaScript, only errors count that are certain without declared types. Empty
 * if there are no errors.
 */
export async function checkTypes(entry: string): Promise<FileIssue[]> {
  const { default: typescript } = await import('typescript');
  const folder = supportFolder();
  const { program, own } = programOf(typescript, resolve(entry), folder);
  const checker = program.getTypeChecker();
  const found = program
    .getSourceFiles()
    .filter(own)
    .flatMap((source) =>
      program
        .getSemanticDiagnostics(source)
        .filter((each) => !isJavaScript(source.fileName) || isSure(typescript, checker, each)),
    );
  return found.map((diagnostic) => issueOf(typescript, diagnostic));
}

/** Result of the previous check. Libraries and unchanged files are reused from it. */
let earlier: { options: string; program: ts.Program } | undefined;

function programOf(
  typescript: TypeScript,
  entry: string,
  folder: string,
): { program: ts.Program; own: (file: ts.SourceFile) => boolean } {
  const options = optionsOf(typescript, entry, folder);
  const host = typescript.createCompilerHost(options, true);
  host.getDefaultLibLocation = () => join(folder, 'lib');
  host.getDefaultLibFileName = () => join(folder, 'lib', 'lib.es2023.d.ts');
  const key = JSON.stringify(options);
  const before = earlier?.options === key ? earlier.program : undefined;
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const known = before?.getSourceFile(name);
    return known && known.text === host.readFile(name) ? known : read(name, ...rest);
  };
  const program = typescript.createProgram([entry, join(folder, 'sandbox.d.ts')], options, host, before);
  earlier = { options: key, program };
  const own = ({ fileName, isDeclarationFile }: ts.SourceFile): boolean =>
    !isDeclarationFile && !fileName.includes('/node_modules/');
  return { program, own };
}

function optionsOf(typescript: TypeScript, entry: string, folder: string): ts.CompilerOptions {
  const types = join(folder, 'types', 'extension-sdk');
  const { paths, ...chosen } = chosenBy(typescript, entry);
  return {
    strict: !isJavaScript(entry),
    ...chosen,
    noEmit: true,
    target: typescript.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    types: [],
    paths: {
      ...paths,
      [SDK]: [join(types, 'index.d.ts')],
      [`${SDK}/testing`]: [join(types, 'testing.d.ts')],
      [`${SDK}/build`]: [join(types, 'build.d.ts')],
      typebox: [join(folder, 'typebox', 'build', 'index.d.mts')],
    },
  };
}

/**
 * Options that are taken from the project's `tsconfig.json`: strictness and import style. Other
 * options are about its compiled output.
 */
const KEPT = [
  ...[
    'strict',
    'noImplicitAny',
    'strictNullChecks',
    'strictFunctionTypes',
    'strictBindCallApply',
    'strictPropertyInitialization',
  ],
  ...[
    'noImplicitThis',
    'useUnknownInCatchVariables',
    'alwaysStrict',
    'noUncheckedIndexedAccess',
    'exactOptionalPropertyTypes',
  ],
  ...['noImplicitReturns', 'noFallthroughCasesInSwitch', 'noImplicitOverride', 'noPropertyAccessFromIndexSignature'],
  ...[
    'baseUrl',
    'paths',
    'pathsBasePath',
    'jsx',
    'jsxImportSource',
    'esModuleInterop',
    'experimentalDecorators',
    'useDefineForClassFields',
  ],
];

function chosenBy(typescript: TypeScript, entry: string): ts.CompilerOptions {
  const file = typescript.findConfigFile(dirname(entry), (name) => typescript.sys.fileExists(name));
  if (file === undefined) return {};
  const { config } = typescript.readConfigFile(file, (name) => typescript.sys.readFile(name)) as { config?: unknown };
  const { options } = typescript.parseJsonConfigFileContent(config ?? {}, typescript.sys, dirname(file));
  return Object.fromEntries(Object.entries(options).filter(([name]) => KEPT.includes(name)));
}

/** `Cannot find name`, `… module`, `no exported member`, and wrong numbers of arguments. */
const SURE = new Set([2304, 2305, 2307, 2552, 2554, 2555, 2580, 2582, 2584, 2591, 2724]);
/** `Property … does not exist on type …`, with or without a suggestion. */
const NO_PROPERTY = new Set([2339, 2551]);

/**
 * True if an error in JavaScript is certain: an unknown name or module, a wrong number of
 * arguments, or a property that a type from a declaration file, such as the SDK's, does not have.
 * JavaScript does not declare types of its parameters, so most other errors are false.
 */
function isSure(typescript: TypeScript, checker: ts.TypeChecker, { code, file, start }: ts.Diagnostic): boolean {
  if (SURE.has(code)) return true;
  if (!NO_PROPERTY.has(code) || !file || start === undefined) return false;
  let node: ts.Node = file;
  for (let inner: ts.Node | undefined = file; inner;) {
    node = inner;
    inner = typescript.forEachChild(inner, (child) =>
      child.getStart(file) <= start && start < child.end ? child : undefined,
    );
  }
  const access = node.parent;
  if (!typescript.isPropertyAccessExpression(access)) return false;
  const { Union, Any, Unknown } = typescript.TypeFlags;
  const type = checker.getTypeAtLocation(access.expression);
  if (type.flags & (Union | Any | Unknown)) return false;
  // Types that the SDK declares have exactly the declared members.
  const declarations = [type.aliasSymbol, type.symbol as ts.Symbol | undefined].flatMap(
    (symbol) => symbol?.declarations ?? [],
  );
  return (
    declarations.some((declaration) => declaration.getSourceFile().isDeclarationFile) && type.getProperties().length > 0
  );
}

function issueOf(typescript: TypeScript, diagnostic: ts.Diagnostic): FileIssue {
  const { file, start = 0, code, messageText } = diagnostic;
  const { line, character } = file ? typescript.getLineAndCharacterOfPosition(file, start) : { line: 0, character: 0 };
  const message = typescript.flattenDiagnosticMessageText(messageText, ' ').replace(/\s+/g, ' ');
  const hint = hintFor(message);
  return {
    pointer: '',
    rule: 'types',
    message: `${message}${hint && ` ${hint}`} (TS${code})`,
    file: relative('.', file?.fileName ?? ''),
    line: line + 1,
    column: character + 1,
  };
}

/**
 * Returns the folder that the build puts next to this command, with the declarations of the SDK,
 * the language and the sandbox.
 *
 * @throws Error if it was not built.
 */
function supportFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = [join(folder, 'support'), join(folder, 'dist', 'support')].find((each) =>
      existsSync(join(each, 'sandbox.d.ts')),
    );
    if (found !== undefined) return found;
    if (basename(folder) === 'node_modules') break;
  }
  throw new Error('The type declarations of the SDK are missing. Build them with: npm run build');
}
