import getPort from 'get-port';

/** Returns the wanted port, one of the 20 after it, or any free one; 0 asks for any. */
export async function choosePort(
  log: (line: string) => void,
  user: string,
  wanted: number,
  host = '127.0.0.1',
): Promise<number> {
  const candidates = Array.from({ length: 21 }, (_, index) => wanted + index);
  const preferred = wanted === 0 ? [] : candidates.filter((port) => port <= 65_535);
  const port = await getPort({ host, port: preferred, reserve: true });
  if (wanted !== 0 && port !== wanted) log(`Port ${wanted} is in use: ${user} takes ${port}.`);
  return port;
}
