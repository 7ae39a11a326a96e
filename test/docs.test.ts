import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { guideFile, guideGroups } from '../api/reference/pages/guide-list.ts';
import { guideText } from '../api/reference/pages/guide-text.ts';
import { anchorOf } from '../api/reference/pages/markdown.ts';
import { variables } from '../process/config-variables.ts';
import { errorCatalogue } from '../domain/errors.ts';
import * as searchAttributeKeys from '../workflows/search-attributes.ts';
import { detailsByCode } from './support/api/details-by-code.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Our own files, from the root of the project; nothing that is installed, kept or hidden. */
function listFiles(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (
      entry.name.startsWith('.') ||
      ['node_modules', 'histories', 'coverage'].includes(entry.name)
    )
      return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
const files = listFiles();
const pages = files.filter((file) => extname(file) === '.md');

const names = v.optional(v.record(v.string(), v.string()), {});
const manifest = v.object({
  workspaces: v.optional(v.array(v.string()), []),
  scripts: names,
  dependencies: names,
  devDependencies: names,
});
const readManifest = (folder = '.') =>
  v.parse(manifest, JSON.parse(read(join(folder, 'package.json'))));
const { scripts, workspaces } = readManifest();

/** Every first group of a pattern in a text. */
const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group);

const anchorsOf = (text: string): string[] => all(text, /^#+ (.+)$/gm).map(anchorOf);

test('describes in docs/configuration.md every variable as process/config.ts does', async () => {
  const script = join(root, 'scripts/config-docs.ts');
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--check'], {
    cwd: root,
  });
  const page = read('docs/configuration.md');
  expect(Object.keys(variables).filter((name) => !page.includes(`- \`${name}\` (default`))).toEqual(
    [],
  );
});

test('has an entry for every code in docs/errors.md, under its status, with an example', () => {
  const sections = guideText('errors', 'Sandbox').split(/^(?=##+ )/m);
  const statusOf = new Map<string, string>();
  let group = '';
  for (const section of sections) {
    if (section.startsWith('## ')) group = section;
    const [, code] = /^### (\S+)$/m.exec(section) ?? [];
    if (code === undefined) continue;
    statusOf.set(code, group);
    const examples = all(section, /```json\n([^`]+)```/g).map((text): unknown => JSON.parse(text));
    // The first paragraph says when the code occurs.
    expect(section, code).toMatch(/^### \S+\n\n[A-Z`](?:.|\n(?!\n))+\.\n\n/);
    const ofCode = { state: code, payload: null, details: expect.any(Object) };
    expect(examples.length, code).toBeGreaterThan(0);
    expect(examples).toEqual(examples.map(() => ofCode));
  }
  expect([...statusOf.keys()].toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
  for (const [code, { status }] of Object.entries(errorCatalogue)) {
    expect(statusOf.get(code)?.split('\n')[0], code).toContain(String(status));
  }
});

test('names in the entry of each code the details that the catalogue has', () => {
  const entries = new Map(
    read('docs/errors.md')
      .split(/^### /m)
      .map((entry) => [entry.split('\n', 1)[0] ?? '', entry] as const),
  );
  // These are described once, for all codes.
  const common = new Set(['reason', 'message', 'allowedValues']);
  const unnamed = Object.entries(detailsByCode).flatMap(([code, names]) =>
    names
      .split(' ')
      .map((name) => name.replace('?', ''))
      .filter((name) => name !== '' && !common.has(name) && !entries.get(code)?.includes(name))
      .map((name) => `${code}: ${name}`),
  );
  expect(unnamed).toEqual([]);
});

test.each(pages)('has no broken relative link in %s', (page) => {
  const text = read(page);
  const links = all(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('looks in docs/sandbox.md at the stopReason of the clock in each language', () => {
  const page = read('docs/sandbox.md');
  for (const language of ['sh', 'ts', 'py']) {
    const blocks = all(page, new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'));
    const waits = blocks.filter((block) => block.includes('advanceBy'));
    expect(waits.length, language).toBeGreaterThan(0);
    expect(blocks.join('\n'), language).toContain('stopReason');
  }
  expect(all(page, /^(wait_for is_ready)$/gm)).toEqual([]);
});

test('has every npm script that a page or the compose file names', () => {
  const named = [...pages, 'Dockerfile', 'docker-compose.yml', '.env.example'].flatMap((file) =>
    all(read(file), /\bnpm run (?:-\S+ )*([\w:-]+)/g).map((script) => ({ file, script })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test('explains in docs/choices.md every decision that the code cites', () => {
  const explained = new Set(all(read('docs/choices.md'), /^- \*\*(D\d+[a-z]?)\*\*/gm));
  const cited = files
    .filter((file) => ['.ts', '.sql'].includes(extname(file)))
    .flatMap((file) => all(read(file), /\b(D\d+[a-z]?)\b/g));
  expect(explained.size).toBeGreaterThan(30);
  expect([...new Set(cited)].filter((number) => !explained.has(number))).toEqual([]);
});

test('has a line in docs/dependencies.md for each dependency and no other', () => {
  const listed = all(read('docs/dependencies.md'), /^- `([^`]+)`/gm);
  expect(listed.toSorted()).toEqual(
    ['.', ...workspaces]
      .map(readManifest)
      .flatMap(({ dependencies, devDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies }),
      )
      .toSorted(),
  );
});

test('calls the command line by npx with --no only, which asks no registry for it', () => {
  const texts = files.filter((file) => /\.(md|ts|mjs|http|html|txt|json|ya?ml)$/.test(file));
  const unsafe = texts.flatMap((file) =>
    all(read(file), /(npx (?!--no )(?:-\S+ )*vendor-gateway\b.*)/g).map(
      (text) => `${file}: ${text}`,
    ),
  );
  expect(unsafe).toEqual([]);
});

test('names every search attribute in docs/operating/installing.md, with its command', () => {
  const page = read('docs/operating/installing.md');
  const missing = Object.values(searchAttributeKeys).filter(({ name, type }) => {
    const typeName = type.charAt(0) + type.slice(1).toLowerCase();
    return !page.includes(`\`${name}\``) || !page.includes(`--name ${name} --type ${typeName}`);
  });
  expect(missing).toEqual([]);
});

/** The files that the image's processes and commands import, and the packages. */
function listImageImports(): { ofFiles: readonly string[]; packages: readonly string[] } {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = read(file);
    for (const path of all(text, /(?:from |import |import\(|new URL\()'(\.?[^']+\.ts)'/g))
      visit(normalize(join(dirname(file), path)));
    const names = all(
      text,
      /^(?:import (?!type )|\} )[^']*from '((?:@[^/]+\/)?[^@./:']+)(?:\/|')/gm,
    );
    for (const name of names) packages.add(name);
  };
  for (const script of ['case', 'deployment', 'doctor', 'keys', 'migrate', 'operator', 'replay'])
    visit(`scripts/${script}.ts`);
  for (const file of [
    'api/server.ts',
    'worker/main.ts',
    'worker/build-workflow-bundle.ts',
    'workflows/index.ts',
  ])
    visit(file);
  return { ofFiles: [...seen], packages: [...packages] };
}

test('has as dependencies what the processes and commands of the image import', () => {
  // The API serves the files of this one.
  const imported = [...listImageImports().packages, '@scalar/fastify-api-reference'];
  expect(Object.keys(readManifest().dependencies)).toEqual(imported.toSorted());
});

test('copies into the image every folder that its processes import', () => {
  const isLetIn = all(read('.dockerignore'), /^!(\S+)$/gm);
  const { ofFiles } = listImageImports();
  expect(ofFiles.length).toBeGreaterThan(50);
  const leftOut = ofFiles.filter((file) => {
    const [folder = ''] = file.split('/');
    return !isLetIn.includes(folder);
  });
  expect(leftOut).toEqual([]);
  // The API serves these pages.
  const guides = guideGroups.flatMap((group) => Object.keys(group.guides)).map(guideFile);
  const isServed = (file: string) => file.startsWith('docs/') || isLetIn.includes(file);
  expect(isLetIn).toContain('docs');
  expect(guides.filter((file) => !isServed(file))).toEqual([]);
});

test('imports a client only in tests', () => {
  const modules = files.filter((file) => /^(?!(?:clients|test)\/).*\.(?:ts|mjs)$/.test(file));
  expect(modules).toContain('api/app.ts');
  const imported = /from '(?:vendor-gateway-client|[./]+clients\/)/;
  expect(modules.filter((file) => imported.test(read(file)))).toEqual([]);
});

test('cites in a test each decision of docs/choices.md from D72 on', () => {
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const cited = new Set(tests.flatMap((file) => all(read(file), /\b(D\d+)\b/g)));
  const decisions = all(read('docs/choices.md'), /^- \*\*(D\d+)\*\*/gm).filter(
    (decision) => Number(decision.slice(1)) >= 72,
  );
  expect(decisions.length).toBeGreaterThan(70);
  expect(decisions.filter((decision) => !cited.has(decision))).toEqual([]);
});

test('lists in the example of CONTRIBUTING.md each file that adds a field, eight at most', () => {
  const [, example = ''] = read('CONTRIBUTING.md').split(
    '\n## Example: adding a field to an offer\n',
  );
  const listed = all(example.split('\n## ')[0] ?? '', /^\d+\. `([^`]+)`/gm);
  // The example treats its field like `rawDescription`.
  const parts = /^(?:activities|api|db|domain|relay|worker|workflows)\/.+\.ts$/;
  const similar = files.filter((file) => parts.test(file) && read(file).includes('rawDescription'));
  expect(listed.toSorted()).toEqual(['db/migrations/', ...similar].toSorted());
  expect(listed.length).toBeLessThanOrEqual(8);
});

test('names only existing tests in SECURITY.md', () => {
  const named = Array.from(read('SECURITY.md').matchAll(/\| `([\w/-]+)`/g), ([, name]) => name);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !existsSync(join(root, `test/${name}.test.ts`)))).toEqual([]);
});

test('uses no word of the "Do not use" list of the glossary', () => {
  const glossary = read('docs/glossary.md');
  const words = all(glossary.slice(glossary.indexOf('## Do not use')), /\*\*(\w[\w ]*)\*\*/g);
  expect(words.length).toBeGreaterThan(5);
  // Also a part of a name in camel case, but not the beginning of another word.
  const forms = words.map(
    (word) =>
      `(?<![A-Za-z])(?:${word}|${word.toUpperCase()})|${word[0]?.toUpperCase()}${word.slice(1)}`,
  );
  const pattern = new RegExp(`(?:${forms.join('|')})(?![a-z])`);
  const checked = [...files, ...listFiles('.ci'), ...listFiles('.github')].filter(
    (file) =>
      /\.(?:ts|m?js|sql|md|py|go|java|http|css|ya?ml|sh)$/.test(file) &&
      !['CHANGELOG.md', 'docs/glossary.md'].includes(file),
  );
  const uses = checked.flatMap((file) =>
    [file, ...read(file).split('\n')].flatMap((line, number) =>
      pattern.test(line) ? [`${file}:${number}: ${line}`] : [],
    ),
  );
  expect(uses).toEqual([]);
});

test('calls nothing an answer but what a name server returns, in comments and documents', () => {
  const noun = /\b(?:an|the|each|every|its|whose|late|lost) answers?\b/i;
  const isComment = /^\s*(?:\/?\*|\/\/|--|#)/;
  const checked = files.filter(
    (file) =>
      /\.(?:ts|m?js|sql|md|py)$/.test(file) &&
      !/^(?:CHANGELOG|docs\/glossary|db\/migrations|bench\/results|(?:test\/)?guardrail)/.test(
        file,
      ),
  );
  expect(checked.length).toBeGreaterThan(1000);
  const uses = checked.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => (file.endsWith('.md') || isComment.test(line)) && noun.test(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(uses).toEqual([]);
});

test('has at most 20 files in each folder of the product and the tests', () => {
  // Migrations, decisions and recorded histories are only added.
  const folders = files.filter((file) => !/^(?:db\/migrations|docs)\//.test(file)).map(dirname);
  const sizes = new Map<string, number>();
  for (const folder of folders) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  expect(sizes.size).toBeGreaterThan(200);
  expect([...sizes].filter(([, size]) => size > 20)).toEqual([]);
});
