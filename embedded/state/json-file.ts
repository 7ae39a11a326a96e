import { open, readFile, rename } from 'node:fs/promises';
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

/** Replaces a JSON file in one step; only our user may read it. */
export async function writeJsonFile(file: string, value: object): Promise<void> {
  const draft = await open(`${file}.new`, 'w', 0o600);
  try {
    await draft.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    // After a loss of power the file is whole, or the earlier one.
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.new`, file);
}
