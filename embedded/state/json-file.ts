import { readFile, rename, writeFile } from 'node:fs/promises';
import * as v from 'valibot';

/** The content of a JSON file; null when it is missing or has another form. */
export async function readJsonFile<const TSchema extends v.GenericSchema>(
  file: string,
  schema: TSchema,
): Promise<v.InferOutput<TSchema> | null> {
  try {
    return v.parse(schema, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Replaces a JSON file in one step; only our user may read it. After a loss of power the file is
 * whole, or the earlier one.
 */
export async function writeJsonFile(file: string, value: object): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}
