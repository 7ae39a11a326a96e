import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { newFolder } from '../support/folder.ts';

test('builds a bundle of one-byte characters that repeats no source', async () => {
  const bundle = await loadWorkflowBundle({ cacheDir: await newFolder(onTestFinished) });
  if (!('codePath' in bundle)) throw new Error('the bundle is not in the cache');
  const code = await readFile(bundle.codePath, 'utf8');
  expect(code).not.toMatch(/[^\0-\xff]/);
  const map = code.slice(code.lastIndexOf('base64,') + 'base64,'.length);
  const { sources, sourcesContent } = JSON.parse(Buffer.from(map, 'base64').toString());
  expect(sources).toContain(join(import.meta.dirname, '../../workflows/lib/job-run.ts'));
  expect(sourcesContent).toBeUndefined();
});

test.for([0, 1000])('builds a cached bundle again that was cut to %i bytes', async (bytes) => {
  const cacheDir = await newFolder(onTestFinished);
  const bundle = await loadWorkflowBundle({ cacheDir });
  if (!('codePath' in bundle)) throw new Error('the bundle is not in the cache');
  const whole = await readFile(bundle.codePath, 'utf8');
  await truncate(bundle.codePath, bytes);
  expect(await loadWorkflowBundle({ cacheDir })).toEqual(bundle);
  expect(await readFile(bundle.codePath, 'utf8')).toBe(whole);
});
