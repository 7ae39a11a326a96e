import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const others = new Set(['node_modules', 'clients', 'test']);

/** The modules of the gateway, in every folder but the tests and the clients. */
function listModules(): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !others.has(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((file) =>
            join(entry.name, file),
          )
        : [entry.name],
    )
    .filter((file) => /\.(ts|mjs)$/.test(file));
}

test('only tests import the client', () => {
  const modules = listModules();
  expect(modules).toContain('api/app.ts');
  const importing = modules.filter((file) =>
    /from '(vendor-gateway-client|[./]+clients\/)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(importing).toEqual([]);
});
