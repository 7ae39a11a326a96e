import getPort from 'get-port';

const readTimeoutMs = 500;

/** Chooses a free port for the exporter of the SDK's core, which cannot choose one itself. */
export async function chooseSdkMetrics() {
  const bindAddress = `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
  return {
    /** An address of loopback for the exporter of the SDK's runtime. */
    bindAddress,
    /** The metrics in the text format of Prometheus. */
    read: async (): Promise<string> => {
      const signal = AbortSignal.timeout(readTimeoutMs);
      const response = await fetch(`http://${bindAddress}/metrics`, { signal });
      return response.text();
    },
  };
}
