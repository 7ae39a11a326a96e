import type { Logger } from 'pino';
import type { Tracing } from './tracing.ts';

/** Starts tracing if it is on. Otherwise loads no package and returns null. */
export async function startTracing(options: {
  readonly isOn: boolean;
  readonly serviceName: string;
  readonly version: string;
  readonly log: Logger;
}): Promise<Tracing | null> {
  if (!options.isOn) return null;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(options);
}
