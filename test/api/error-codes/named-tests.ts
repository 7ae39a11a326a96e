import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = 'test/api/error-codes';
const root = fileURLToPath(new URL('../../..', import.meta.url));

export type NamedTest = {
  /** From the root of the project. */
  readonly file: string;
  /** The code that the name begins with. */
  readonly code: string;
  /** The statuses that the test writes down for the code. */
  readonly statuses: readonly number[];
  /** The whole name. */
  readonly name: string;
};

/** The tests of this folder that are named after a code, as their files have them. */
export function namedTests(): readonly NamedTest[] {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.test.ts'));
  return files.toSorted().flatMap((file) => {
    const [, ...tests] = readFileSync(join(root, folder, file), 'utf8').split(/^test\('/m);
    return tests.flatMap((text) => {
      const [, name, code] = /^(([A-Z_]+): .+)', async \((?:\{[^}]*\})?\) => \{$/m.exec(text) ?? [];
      if (name === undefined || code === undefined) return [];
      const statuses = Array.from(text.matchAll(/\b(\d{3}),\s+(?:code|'[A-Z_]+')/g), ([, status]) =>
        Number(status),
      );
      return [{ file: `${folder}/${file}`, code, statuses: [...new Set(statuses)], name }];
    });
  });
}
