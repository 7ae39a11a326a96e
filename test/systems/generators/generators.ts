import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from './run-command.ts';

/** The document, the generated code and the installations; see `.ci/generators/install`. */
export const folder = resolve('.cache/generators');
export const documentFile = join(folder, 'openapi.json');
const own = resolve('.ci/generators');

/** One generator of clients, with the program of its language that uses what it generates. */
export type Generator = {
  readonly name: string;
  /** The folder below {@link folder} that the generated code is written to, emptied before. */
  readonly output: string;
  /** The end of the names of the generated files. */
  readonly extension: string;
  readonly generate: Command;
  /** The lines of what it prints that are warnings. */
  readonly warnings: (lines: readonly string[]) => readonly string[];
  readonly compile: () => Command;
  readonly run: Command;
  /** What the generated code may have at most: some 15 % more than it has. */
  readonly filesMax: number;
  readonly linesMax: number;
};

/** The paths of the files below a folder whose names end so. */
export const filesIn = (path: string, extension: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(path, name));

export const linesOf = (path: string): number => readFileSync(path, 'utf8').split('\n').length - 1;

const words = (line: string): readonly string[] => line.split(' ');

const typescript: Generator = {
  name: 'openapi-typescript',
  output: 'typescript',
  extension: 'schema.ts',
  generate: {
    file: 'clients/typescript/node_modules/.bin/openapi-typescript',
    args: [documentFile, '--output', join(folder, 'typescript/schema.ts')],
  },
  warnings: (lines) => lines.filter((line) => /⚠|warn/i.test(line)),
  compile: () => ({
    file: resolve('node_modules/.bin/tsc'),
    args: [
      ...words('--ignoreConfig --noEmit --strict --skipLibCheck --allowImportingTsExtensions'),
      ...words('--types node --module nodenext --target es2023 driver.ts'),
    ],
    cwd: join(folder, 'typescript'),
    copied: [join(own, 'typescript/driver.ts')],
  }),
  run: { file: process.execPath, args: ['--import', 'tsx', join(folder, 'typescript/driver.ts')] },
  filesMax: 1,
  linesMax: 11_000,
};

const python: Generator = {
  name: 'openapi-python-client',
  output: 'python',
  extension: '.py',
  generate: {
    file: join(folder, 'venv/bin/openapi-python-client'),
    args: [
      ...words('generate --meta none --overwrite'),
      `--path=${documentFile}`,
      `--config=${join(own, 'python/config.yaml')}`,
      `--output-path=${join(folder, 'python/vendor_gateway')}`,
    ],
  },
  // It says what it generates, and then nothing.
  warnings: (lines) => lines.filter((line) => !line.startsWith('Generating ')),
  compile: () => ({
    file: join(folder, 'venv/bin/python'),
    args: ['-W', 'error', '-m', 'compileall', '-q', 'vendor_gateway'],
    cwd: join(folder, 'python'),
  }),
  run: {
    file: join(folder, 'venv/bin/python'),
    args: [join(own, 'python/driver.py')],
    env: { PYTHONPATH: join(folder, 'python') },
  },
  filesMax: 310,
  linesMax: 45_000,
};

const go: Generator = {
  name: 'oapi-codegen',
  output: 'go',
  extension: '.gen.go',
  generate: {
    file: 'go',
    args: ['tool', 'oapi-codegen', '-config', 'config.yaml', documentFile],
    cwd: join(folder, 'go'),
    copied: ['config.yaml', 'go.mod', 'go.sum', 'driver.go'].map((name) => join(own, 'go', name)),
    folders: ['gateway'],
  },
  warnings: (lines) => lines,
  compile: () => ({ file: 'go', args: ['build', '-o', 'driver', '.'], cwd: join(folder, 'go') }),
  run: { file: join(folder, 'go/driver'), args: [] },
  filesMax: 1,
  linesMax: 50_000,
};

const classPath = `${join(folder, 'java/classes')}:${join(folder, 'java-classes')}/*`;

/** What it says of every document, and of every body that allows no unknown field. */
const knownOfJava = [
  /OpenAPI 3\.1 support is still in beta/,
  /Ignoring complex example on request body/,
  /Failed to get the schema name: null/,
];

const java: Generator = {
  name: "openapi-generator's Java",
  output: 'java',
  extension: '.java',
  generate: {
    file: 'java',
    args: [
      '-jar',
      join(folder, 'openapi-generator-cli.jar'),
      ...words('generate -g java -i'),
      documentFile,
      '-o',
      join(folder, 'java'),
      '-c',
      join(own, 'java/config.json'),
      ...words('--global-property apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'),
    ],
  },
  warnings: (lines) =>
    lines.filter(
      (line) => /\b(?:WARN|ERROR)\b/.test(line) && !knownOfJava.some((known) => known.test(line)),
    ),
  compile: () => {
    const sources = [...filesIn(join(folder, 'java/src'), '.java'), join(own, 'java/Driver.java')];
    writeFileSync(join(folder, 'java/sources.txt'), sources.join('\n'));
    const args = ['-nowarn', '-d', join(folder, 'java/classes'), '-cp', classPath];
    return { file: 'javac', args: [...args, `@${join(folder, 'java/sources.txt')}`] };
  },
  run: { file: 'java', args: ['-cp', classPath, 'Driver'] },
  filesMax: 200,
  linesMax: 55_000,
};

/** Side by side: the generators of one list after the other. */
export const sequences: readonly (readonly Generator[])[] = [[java], [typescript, python, go]];

/** The tests of the example of a client in Python. */
export const pythonExample = {
  file: join(folder, 'venv/bin/python'),
  args: ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', 'clients/python'],
  env: { PYTHONDONTWRITEBYTECODE: '1' },
};
