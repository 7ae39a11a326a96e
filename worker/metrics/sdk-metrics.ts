import getPort from 'get-port';

/** The exporter of the Temporal SDK's core, in this process. */
export type SdkMetrics = {
  /** An address of loopback for the exporter of the SDK's runtime. */
  readonly bindAddress: string;
  /** The metrics in the text format of Prometheus. */
  readonly read: () => Promise<string>;
};

const readTimeoutMs = 500;

/** Chooses a free port for the exporter of the SDK's core, which cannot choose one itself. */
export async function chooseSdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
  return {
    bindAddress,
    read: async () => {
      const signal = AbortSignal.timeout(readTimeoutMs);
      const response = await fetch(`http://${bindAddress}/metrics`, { signal });
      return response.text();
    },
  };
}
