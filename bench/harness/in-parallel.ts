/** Does each piece of work, at most `atOnce` at a time, in the order of their numbers from 0. */
export async function inParallel(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  work: (number: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
