import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** The form of what is kept; a running gateway tells it too (`running.ts`). */
export const keptForm = v.object({
  vendor: v.object({
    id: v.string(),
    name: v.string(),
    clientId: v.string(),
    clientSecret: v.string(),
  }),
  operator: v.object({ operatorId: v.string(), operatorSecret: v.string() }),
});

/** The demo vendor's and the operator's secrets, which the embedded start prints at every start. */
export type Kept = v.InferOutput<typeof keptForm>;

const fileIn = (home: string): string => join(home, 'demo.json');

/** Null when nothing was kept yet. */
export async function readKept(home: string): Promise<Kept | null> {
  try {
    return v.parse(keptForm, JSON.parse(await readFile(fileIn(home), 'utf8')));
  } catch {
    return null;
  }
}

export async function writeKept(home: string, value: Kept): Promise<void> {
  await mkdir(home, { recursive: true });
  const draft = `${fileIn(home)}.new`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileIn(home));
}
